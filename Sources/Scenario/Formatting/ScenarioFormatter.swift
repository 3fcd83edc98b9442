package import Diagnostics

/// Writes a scenario as everybody writes it: one blank between words, operators and arrows in
/// columns, four blanks for each block, comments side by side. Formatting twice changes nothing.
package enum ScenarioFormatter {
    /// The formatted text.
    ///
    /// - Throws: what is wrong with the scenario, if it cannot be read.
    package static func format(_ source: SourceText) throws(Diagnosed) -> String {
        let file = try ScenarioParser.file(from: source)
        var layout = Layout(file)
        return layout.text()
    }
}

/// The lines of a scenario on their way to being formatted.
struct Layout {
    /// Blanks before each line of a block, for each block.
    static let indent = 4
    /// The column at which the text of header lines stands.
    static let headerColumn = 10
    /// Operators with longer names do not widen the operators' column.
    static let actorWidthMax = 16
    /// Longer lines do not push the comments beside their neighbours away.
    static let commentColumnMax = 72

    private struct Row {
        var text: String
        var opensBlock = false
    }

    private let file: ScenarioFile
    private let printer: SourcePrinter
    private var rows: [Int: Row] = [:]
    private var comments: [Int: String] = [:]
    private var actorWidth = 0

    init(_ file: ScenarioFile) {
        self.file = file
        printer = SourcePrinter(source: file.source)
    }

    /// The formatted text.
    mutating func text() -> String {
        for comment in file.comments { comments[line(comment.range.start)] = comment.text }
        for (offset, keyword, rest) in printer.header(file.header) {
            rows[line(offset)] = Row(text: "\(padded(keyword, to: Self.headerColumn - 1)) \(rest)")
        }
        for citation in file.bodyCitations {
            rows[line(citation.range.start)] = Row(text: "cite \(printer.citation(citation))")
        }
        let steps = file.fragments.flatMap(\.steps) + file.steps
        actorWidth = Self.actorWidth(of: steps)
        for fragment in file.fragments {
            let row = Row(text: printer.opening(fragment), opensBlock: true)
            rows[line(fragment.range.start)] = row
        }
        steps.walk { add($0) }
        return laidOut()
    }

    private func line(_ offset: Int) -> Int { file.source.line(at: offset) }

    private static func actorWidth(of steps: [Step]) -> Int {
        var width = 0
        steps.walk { step in
            guard let word = word(for: step) else { return }
            let own = displayWidth(word)
            if own <= actorWidthMax { width = max(width, own) }
        }
        return width
    }

    /// What stands in the operators' column; nil for a step without, and where `self` was left out.
    private static func word(for step: Step) -> String? {
        guard let actor = step.actor else { return nil }
        if case .standingReply = step.kind { return nil }
        return actor.name ?? (actor.range.count > 0 ? "self" : nil)
    }

    private mutating func add(_ step: Step) {
        var text = printer.step(step)
        if let word = Self.word(for: step) { text = "\(padded(word, to: actorWidth)) \(text)" }
        rows[line(step.range.start)] = Row(text: text, opensBlock: isBlock(step))
    }

    private func isBlock(_ step: Step) -> Bool {
        switch step.kind {
        case .anyOrder, .repeated, .eventually, .outcome: true
        default: false
        }
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - displayWidth(text)))
    }

    // MARK: Putting the lines together

    private struct Line {
        var text: String
        var comment: String?
        var opensBlock = false
        var closesBlock = false

        var isBlank: Bool { text.isEmpty && comment == nil }
    }

    private func removeBlankEnd(_ lines: inout [Line]) {
        while lines.last?.isBlank == true { lines.removeLast() }
    }

    private func laidOut() -> String {
        var lines: [Line] = []
        var depth = 0
        for number in 1...file.source.lineCount {
            let line = line(number, &depth)
            if line.isBlank {
                let mayStand = lines.last.map { !$0.isBlank && !$0.opensBlock } ?? false
                if !mayStand { continue }
            } else if line.closesBlock {
                removeBlankEnd(&lines)
            }
            lines.append(line)
        }
        removeBlankEnd(&lines)
        placeComments(&lines)
        return lines.map { $0.text + "\n" }.joined()
    }

    /// A line of the source in its new form; a comment of its own is text, one beside a statement is
    /// not yet.
    private func line(_ number: Int, _ depth: inout Int) -> Line {
        if let row = rows[number] {
            let text = margin(depth) + row.text
            if row.opensBlock { depth += 1 }
            return Line(text: text, comment: comments[number], opensBlock: row.opensBlock)
        }
        if let closing = closing(number) {
            let isLast = closing == "}"
            let text = margin(max(0, depth - 1)) + closing
            if isLast { depth = max(0, depth - 1) }
            return Line(
                text: text, comment: comments[number], opensBlock: !isLast, closesBlock: true)
        }
        return Line(text: comments[number].map { margin(depth) + $0 } ?? "")
    }

    private func margin(_ depth: Int) -> String {
        String(repeating: " ", count: depth * Self.indent)
    }

    /// `}` or `} same as {` if that is what stands in a line.
    private func closing(_ number: Int) -> String? {
        let source = file.source
        let text = source.bytes(in: source.range(ofLine: number)).drop(while: \.isBlank)
        guard text.first == UInt8(ascii: "}") else { return nil }
        let next = text.dropFirst().drop(while: \.isBlank).first
        return next == UInt8(ascii: "s") ? "} same as {" : "}"
    }

    /// Puts the comments of neighbouring lines into one column.
    private func placeComments(_ lines: inout [Line]) {
        var start = 0
        while start < lines.count {
            var end = start
            while end < lines.count, lines[end].comment != nil { end += 1 }
            let widths = lines[start..<end].map { displayWidth($0.text) }
            let column = widths.filter { $0 <= Self.commentColumnMax }.max() ?? 0
            for index in start..<end {
                let text = padded(lines[index].text, to: column)
                lines[index].text = "\(text)  \(lines[index].comment ?? "")"
                lines[index].comment = nil
            }
            start = max(end, start + 1)
        }
    }
}
