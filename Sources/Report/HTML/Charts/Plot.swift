/// An SVG chart with two axes. Colours come from the page's style sheet by class, with attributes
/// as a fallback.
struct Plot {
    static let width = 1000.0
    static let left = 78.0
    static let right = 984.0
    static let top = 12.0

    let height: Double
    private let label: String
    private var shapes = ""

    /// The lowest vertical position inside the axes.
    var bottom: Double { height - 30 }

    /// Creates an empty plot.
    ///
    /// - Parameter label: Accessible description of the chart.
    init(_ label: String, height: Double = 320) {
        self.label = label
        self.height = height
    }

    /// The complete SVG element.
    var svg: String {
        """
        <svg role="img" class="chart" aria-label="\(XMLText.attribute(label))" \
        viewBox="0 0 \(Int(Self.width)) \(Int(height))" xmlns="http://www.w3.org/2000/svg" \
        font-family="system-ui, sans-serif" font-size="13">\(shapes)</svg>
        """
    }

    /// Adds horizontal grid lines with labels on the left.
    mutating func addRows(_ scale: Scale) {
        for (value, words) in scale.ticks {
            let y = Self.number(scale.position(value))
            add(
                "<path class=\"grid\" stroke=\"#d1d9e0\" d=\"M\(Self.number(Self.left)) \(y)"
                    + "H\(Self.number(Self.right))\"/>")
            add(text(words, Self.left - 8, scale.position(value) + 4.5, anchor: "end"))
        }
    }

    /// Adds the horizontal axis with tick marks and labels. Labels that would overlap are left out.
    mutating func addColumns(_ scale: Scale, lines: Bool = false) {
        let y = Self.number(bottom)
        add(
            "<path class=\"axis\" stroke=\"#59636e\" d=\"M\(Self.number(Self.left)) \(y)"
                + "H\(Self.number(Self.right))\"/>")
        var free = 0.0
        for (value, words) in scale.ticks {
            let x = scale.position(value)
            let end = lines ? Self.number(Self.top) : Self.number(bottom + 4)
            let start = lines ? Self.number(bottom + 4) : y
            add(
                "<path class=\"\(lines ? "grid" : "axis")\" stroke=\"#d1d9e0\" "
                    + "d=\"M\(Self.number(x)) \(start)V\(end)\"/>")
            let half = Double(words.count) * 4.2 + 2
            let middle = min(max(x, half), Self.width - half)
            guard middle - half >= free else { continue }
            free = middle + half + 8
            add(text(words, middle, bottom + 20, anchor: "middle"))
        }
    }

    /// Adds a line through points.
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

    /// Adds a dot.
    mutating func addDot(_ x: Double, _ y: Double, class name: String, title: String = "") {
        add(
            "<circle class=\"\(name)\" fill=\"#0860ca\" cx=\"\(Self.number(x))\" "
                + "cy=\"\(Self.number(y))\" r=\"4\">\(Self.title(title))</circle>")
    }

    /// Adds text at any position.
    mutating func addText(
        _ words: String, _ x: Double, _ y: Double, anchor: String = "start", class name: String = ""
    ) {
        add(text(words, x, y, anchor: anchor, class: name))
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

    /// Formats a coordinate with at most two decimals, so that equal charts have equal text.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 100).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = (abs(tenths) / 100, abs(tenths) % 100)
        if rest == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole)."
            + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }
}
