/// An SVG chart with two axes. Colours come from the page's style sheet, by class, with attributes
/// as a fallback.
struct Plot {
    static let width = 1000.0
    static let left = 92.0
    static let right = 984.0
    static let top = 12.0

    let height: Double
    private let label: String
    private let hasTimeAxis: Bool
    /// Shapes that show data. In a chart with a time axis, a script can zoom them.
    private var shapes = ""
    /// Axes and labels, drawn below and above the data.
    private var (below, above) = ("", "")
    /// End of the time axis in seconds.
    private var end = 0.0

    /// Vertical position of the bottom of the plot area.
    var bottom: Double { height - 30 }

    /// Creates an empty plot.
    ///
    /// - Parameters:
    ///   - label: Accessible description of the chart.
    ///   - hasTimeAxis: True if the horizontal axis shows seconds, so that a script can zoom it.
    init(_ label: String, height: Double = 320, hasTimeAxis: Bool = false) {
        self.label = label
        self.height = height
        self.hasTimeAxis = hasTimeAxis
    }

    /// The complete SVG element.
    var svg: String {
        var data = shapes
        if hasTimeAxis {
            let (left, width) = (Self.number(Self.left), Self.number(Self.right - Self.left))
            let bottom = Self.number(bottom)
            data =
                "<svg class=\"data\" x=\"\(left)\" y=\"0\" width=\"\(width)\" height=\"\(bottom)\" "
                + "viewBox=\"\(left) 0 \(width) \(bottom)\" preserveAspectRatio=\"none\">"
                + "\(shapes)</svg>"
        }
        let time = hasTimeAxis ? " time\" data-end=\"\(Self.number(end))" : ""
        return """
            <svg role="img" class="chart\(time)" aria-label="\(XMLText.attribute(label))" \
            viewBox="0 0 \(Int(Self.width)) \(Int(height))" xmlns="http://www.w3.org/2000/svg" \
            font-family="system-ui, sans-serif" font-size="13">\(below)\(data)\(above)</svg>
            """
    }

    /// Adds horizontal grid lines with labels on the left.
    mutating func addRows(_ scale: Scale) {
        for (value, words) in scale.ticks {
            let y = Self.number(scale.position(value))
            below +=
                "<path class=\"grid\" stroke=\"#d1d9e0\" d=\"M\(Self.number(Self.left)) \(y)"
                + "H\(Self.number(Self.right))\"/>"
                + text(words, Self.left - 8, scale.position(value) + 4.5, anchor: "end")
        }
    }

    /// Adds the horizontal axis with tick marks and labels. Labels that would overlap others are
    /// left out.
    mutating func addColumns(_ scale: Scale, lines: Bool = false) {
        let y = Self.number(bottom)
        end = scale.end
        above +=
            "<path class=\"axis\" stroke=\"#59636e\" d=\"M\(Self.number(Self.left)) \(y)"
            + "H\(Self.number(Self.right))\"/>"
        var ticks = ""
        var free = 0.0
        for (value, words) in scale.ticks {
            let x = scale.position(value)
            let end = lines ? Self.number(Self.top) : Self.number(bottom + 4)
            let start = lines ? Self.number(bottom + 4) : y
            ticks +=
                "<path class=\"\(lines ? "grid" : "axis")\" stroke=\"#d1d9e0\" "
                + "d=\"M\(Self.number(x)) \(start)V\(end)\"/>"
            // Labels are larger on small screens.
            let half = Double(words.count) * 5.8 + 2
            let middle = min(max(x, half), Self.width - half)
            guard middle - half >= free else { continue }
            free = middle + half + 8
            ticks += text(words, middle, bottom + 20, anchor: "middle")
        }
        if lines { below += ticks } else { above += "<g class=\"ticks\">\(ticks)</g>" }
    }

    /// Returns the approximate width of a label.
    static func width(of words: String) -> Double { Double(words.count) * 7 }

    /// Adds a vertical line that marks a time, with a label at the top.
    mutating func addMark(_ x: Double, label: String) {
        add(
            "<path class=\"stage\" stroke=\"#59636e\" fill=\"none\" d=\"M\(Self.number(x)) \(Self.number(Self.top))"
                + "V\(Self.number(bottom))\">\(Self.title(label))</path>")
        guard !label.isEmpty, x + Self.width(of: label) < Self.right else { return }
        above +=
            "<g class=\"at\" data-x=\"\(Self.number(x))\">"
            + text(label, x + 5, Self.top + 12, anchor: "start", class: "stage-name") + "</g>"
    }

    /// Adds a horizontal line for a threshold, with its text at the right end.
    mutating func addLimit(_ y: Double, _ words: String, class name: String) {
        add(
            "<path class=\"limit \(name)\" stroke=\"#cf222e\" fill=\"none\" "
                + "d=\"M\(Self.number(Self.left)) \(Self.number(y))H\(Self.number(Self.right))\">"
                + "\(Self.title(words))</path>")
        let isAtTop = y < Self.top + 18
        above += text(
            words, Self.right - 4, isAtTop ? y + 15 : y - 5, anchor: "end",
            class: "limit-name \(name)")
    }

    /// A rectangle in a plot, between two points.
    struct Box {
        var x: Double
        var y: Double
        var right: Double
        var bottom: Double
    }

    /// Adds rectangles of one colour as a single shape.
    mutating func addBoxes(_ boxes: [Box], class name: String, opacity: Double) {
        let path = boxes.map { box in
            "M\(Self.number(box.x)) \(Self.number(box.y))H\(Self.number(box.right))"
                + "V\(Self.number(box.bottom))H\(Self.number(box.x))Z"
        }.joined()
        add(
            "<path class=\"\(name)\" fill=\"#0860ca\" fill-opacity=\"\(Self.number(opacity))\" "
                + "d=\"\(path)\"/>")
    }

    /// Adds a line that connects the points.
    mutating func addLine(
        _ points: [(x: Double, y: Double)], class name: String, title: String = ""
    ) {
        guard !points.isEmpty else { return }
        let path = points.enumerated().map { index, point in
            (index == 0 ? "M" : "L") + "\(Self.number(point.x)) \(Self.number(point.y))"
        }.joined()
        add(
            "<path class=\"line \(name)\" fill=\"none\" stroke=\"#0860ca\" stroke-width=\"2\" "
                + "stroke-linejoin=\"round\" d=\"\(path)\">\(Self.title(title))</path>")
    }

    /// Fills the area between a line and the bottom.
    mutating func addArea(_ points: [(x: Double, y: Double)], class name: String) {
        guard let first = points.first else { return }
        let path = points.map { "L\(Self.number($0.x)) \(Self.number($0.y))" }.joined()
        add(
            "<path class=\"area \(name)\" fill=\"#0860ca\" fill-opacity=\".15\" "
                + "d=\"M\(Self.number(first.x)) \(Self.number(bottom))\(path)"
                + "V\(Self.number(bottom))Z\"/>")
    }

    mutating func addBox(
        x: ClosedRange<Double>, y: ClosedRange<Double>, class name: String, opacity: Double = 1,
        title: String = ""
    ) {
        let opaque = opacity < 1 ? " fill-opacity=\"\(Self.number(opacity))\"" : ""
        add(
            "<rect class=\"\(name)\" fill=\"#0860ca\"\(opaque) x=\"\(Self.number(x.lowerBound))\" "
                + "y=\"\(Self.number(y.lowerBound))\" "
                + "width=\"\(Self.number(x.upperBound - x.lowerBound))\" "
                + "height=\"\(Self.number(y.upperBound - y.lowerBound))\">"
                + "\(Self.title(title))</rect>")
    }

    /// Adds a dot. It remains round when a script stretches the chart.
    mutating func addDot(_ x: Double, _ y: Double, class name: String, title: String = "") {
        add(
            "<path class=\"dot \(name)\" stroke=\"#0860ca\" stroke-width=\"8\" "
                + "stroke-linecap=\"round\" vector-effect=\"non-scaling-stroke\" "
                + "d=\"M\(Self.number(x)) \(Self.number(y))h0\">\(Self.title(title))</path>")
    }

    mutating func addText(
        _ words: String, _ x: Double, _ y: Double, anchor: String = "start", class name: String = ""
    ) {
        above += text(words, x, y, anchor: anchor, class: name)
    }

    private mutating func add(_ shape: String) { shapes += shape }

    private func text(
        _ words: String, _ x: Double, _ y: Double, anchor: String, class name: String = ""
    ) -> String {
        "<text class=\"words \(name)\" fill=\"#59636e\" x=\"\(Self.number(x))\" "
            + "y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\">\(XMLText.content(words))</text>"
    }

    private static func title(_ words: String) -> String {
        words.isEmpty ? "" : "<title>\(XMLText.content(words))</title>"
    }

    /// Formats a coordinate with at most two decimal places, so that equal charts produce identical
    /// text.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 100).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = (abs(tenths) / 100, abs(tenths) % 100)
        if rest == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole)."
            + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }
}
