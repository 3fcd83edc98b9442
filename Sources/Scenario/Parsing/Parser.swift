import Diagnostics

/// Line-by-line parser for scenarios. Lines with errors are reported and skipped.
struct Parser {
    let source: SourceText
    let text: TextLines
    /// True if the text is a dialect behaviour, which has no header and whose steps without an
    /// operator belong to `self`.
    let isBehaviour: Bool

    var list = DiagnosticList(errorsMax: ScenarioLimits.errorsMax)
    var header = HeaderParser()
    var fragments: [Fragment] = []
    var bodyCitations: [Citation] = []
    var comments: [Comment] = []
    /// The open blocks, outermost first. The first one is the file itself.
    var frames = [Frame(.file, range: SourceRange(start: 0, end: 0))]
    /// The citation that applies to the next step; nil if there is none.
    var citation: Citation?
    /// True once the header is complete.
    var hasSteps = false
    /// True if the `{` was missing on the previous line.
    var lacksBrace = false

    /// An open block and its steps so far.
    struct Frame {
        /// The kind of a block, with the contents of its first line.
        enum Kind {
            case file
            case anyOrder
            /// A `one of` block, with the steps of each completed alternative.
            case oneOf([[Step]])
            case repeated(count: Int, counter: Name?, every: DurationLiteral?)
            case eventually(Window?)
            case outcome
            case sameAs(first: [Step])
            case fragment(Name, parameters: [Name])
            /// A block whose first line has an error.
            case broken
        }

        var kind: Kind
        /// Range of the first line of the block, without its comment.
        var range: SourceRange
        var steps: [Step] = []
        /// The citation that applied outside the block; nil if there was none.
        var outerCitation: Citation?

        init(_ kind: Kind, range: SourceRange) {
            self.kind = kind
            self.range = range
        }
    }

    init(source: SourceText, text: TextLines, isBehaviour: Bool) {
        self.source = source
        self.text = text
        self.isBehaviour = isBehaviour
    }

    mutating func run() {
        if let refusal = text.refusal(in: source) {
            list.add(refusal)
            return
        }
        for line in text.lines {
            if list.isFull { return }
            do throws(Diagnosed) {
                try read(line)
            } catch {
                for diagnostic in error.diagnostics { list.add(diagnostic) }
            }
        }
        closeRemaining()
    }

    /// True if steps may refer to `self` here. Inside a block whose first line has an error, this
    /// is always true, so that no further errors are reported.
    var isInFragment: Bool {
        isBehaviour
            || frames.contains { frame in
                switch frame.kind {
                case .fragment, .broken: true
                default: false
                }
            }
    }

    private mutating func read(_ line: TextLines.Line) throws(Diagnosed) {
        var cursor = LineCursor(source: source, text: text, line: line)
        guard line.end - line.start <= ScenarioLimits.lineBytesMax else {
            let most = ScenarioLimits.lineBytesMax
            throw Diagnosed(
                cursor.error(
                    .lineTooLong, "the line is longer than \(most) bytes", at: cursor.nextToken)
            )
        }
        if let bare = text.bytes[line.start..<line.end].firstIndex(of: UInt8(ascii: "\r")) {
            throw Diagnosed(
                cursor.error(
                    .controlByte, "carriage return in the middle of a line",
                    at: cursor.range(bare, bare + 1)
                ).help("to send it, write it as a placeholder: {{\"\\r\"}}"))
        }
        cursor.skipSpaces()
        if cursor.isAtEnd { return }
        let lackedBrace = lacksBrace
        lacksBrace = false
        switch cursor.peek() {
        case UInt8(ascii: "#"): addComment(cursor.at, &cursor)
        case UInt8(ascii: "}"): try closeBlock(&cursor)
        case UInt8(ascii: "{") where lackedBrace && cursor.end - cursor.at == 1: return
        default: try readStatement(&cursor)
        }
    }

    /// Finishes a statement. Only a comment may follow it.
    mutating func finish(_ cursor: inout LineCursor) throws(Diagnosed) {
        guard cursor.isDone else { throw cursor.unexpected() }
        cursor.skipSpaces()
        if !cursor.isAtEnd { addComment(cursor.at, &cursor) }
    }

    private mutating func addComment(_ start: Int, _ cursor: inout LineCursor) {
        var last = cursor.end
        while last > start, text.bytes[last - 1].isSpace { last -= 1 }
        cursor.at = cursor.end
        comments.append(
            Comment(cursor.text(start, last), range: cursor.range(start, last)))
    }

    /// Adds a step to the innermost open block.
    mutating func add(
        _ kind: Step.Kind, actor: Actor? = nil, range: SourceRange
    ) {
        hasSteps = true
        let step = Step(kind, actor: actor, citation: citation, range: range)
        if case .anyOrder = frames[frames.count - 1].kind, !Self.isAllowedInAnyOrder(step) {
            list.add(
                error(.notInAnyOrder, "`any order` may contain only `<-` and `<~` steps", at: range)
            )
        }
        frames[frames.count - 1].steps.append(step)
    }

    /// Returns true for `<-` and `<~` steps. Also returns true for nested blocks, because they were
    /// already reported at their first lines.
    private static func isAllowedInAnyOrder(_ step: Step) -> Bool {
        guard case .expect(let expectation) = step.kind else { return !step.inner.isEmpty }
        return expectation.mode == .next || expectation.mode == .skip
    }

    func error(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, label: String = ""
    ) -> Diagnostic {
        source.diagnostic(.error, code, message, at: range, label: label)
    }
}
