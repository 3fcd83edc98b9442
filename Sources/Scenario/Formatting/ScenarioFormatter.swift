package import Diagnostics

/// The canonical scenario layout: one space between words, aligned operators and arrows, four
/// spaces per block level, and aligned trailing comments. Formatting is idempotent.
package enum ScenarioFormatter {
    /// Returns the formatted text.
    ///
    /// - Throws: the diagnostics if the scenario does not parse.
    package static func format(_ source: SourceText) throws(Diagnosed) -> String {
        let file = try ScenarioParser.file(from: source)
        var layout = Layout(file)
        return layout.text()
    }
}

/// Builder for the formatted lines of a scenario.
struct Layout {
    /// Spaces per block level.
    static let indent = 4
    /// Column at which the text after the keyword of a header line starts.
    static let headerColumn = 10
    /// Maximum column of aligned comments. Longer lines do not affect the comments on neighbouring
    /// lines.
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

    mutating func text() -> String {
        for comment in file.comments { comments[line(comment.range.start)] = comment.text }
        for (offset, keyword, rest) in printer.header(file.header) {
            rows[line(offset)] = Row(text: "\(padded(keyword, to: Self.headerColumn - 1)) \(rest)")
        }
        for citation in file.bodyCitations {
            rows[line(citation.range.start)] = Row(text: "cite \(printer.citation(citation))")
        }
        let steps = file.fragments.flatMap(\.steps) + file.steps
        actorWidth = steps.actorWidth
        for fragment in file.fragments {
            let row = Row(text: printer.opening(fragment), opensBlock: true)
            rows[line(fragment.range.start)] = row
        }
        steps.walk { add($0) }
        return laidOut()
    }

    private func line(_ offset: Int) -> Int { file.source.line(at: offset) }

    private mutating func add(_ step: Step) {
        var text = printer.step(step)
        if let word = step.actorWord { text = "\(padded(word, to: actorWidth)) \(text)" }
        rows[line(step.range.start)] = Row(text: text, opensBlock: isBlock(step))
    }

    private func isBlock(_ step: Step) -> Bool {
        switch step.kind {
        case .anyOrder, .oneOf, .repeated, .eventually, .outcome: true
        default: false
        }
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - displayWidth(text)))
    }

    // MARK: Assembling lines

    private struct Line {
        var text: String
        var comment: String?
        var opensBlock = false
        var closesBlock = false

        var isEmpty: Bool { text.isEmpty && comment == nil }
    }

    private func removeTrailingEmptyLines(_ lines: inout [Line]) {
        while lines.last?.isEmpty == true { lines.removeLast() }
    }

    private func laidOut() -> String {
        var lines: [Line] = []
        var depth = 0
        for number in 1...file.source.lineCount {
            let line = line(number, &depth)
            if line.isEmpty {
                let isKept = lines.last.map { !$0.isEmpty && !$0.opensBlock } ?? false
                if !isKept { continue }
            } else if line.closesBlock {
                removeTrailingEmptyLines(&lines)
            }
            lines.append(line)
        }
        removeTrailingEmptyLines(&lines)
        alignComments(&lines)
        return lines.map { $0.text + "\n" }.joined()
    }

    /// Formats a source line. A comment on its own line becomes the line's text; a trailing comment
    /// is attached later.
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

    /// Returns `}`, `} or {` or `} same as {` if the line closes a block, otherwise nil.
    private func closing(_ number: Int) -> String? {
        let source = file.source
        let text = source.bytes(in: source.range(ofLine: number)).drop(while: \.isSpace)
        guard text.first == UInt8(ascii: "}") else { return nil }
        let next = text.dropFirst().drop(while: \.isSpace).first
        return switch next {
        case UInt8(ascii: "s"): "} same as {"
        case UInt8(ascii: "o"): "} or {"
        default: "}"
        }
    }

    /// Aligns the trailing comments of consecutive lines.
    private func alignComments(_ lines: inout [Line]) {
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
