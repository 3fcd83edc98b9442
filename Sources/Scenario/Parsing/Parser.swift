import Diagnostics

/// Goes through the lines of a scenario; a line that cannot be understood is reported, and the next
/// one read.
struct Parser {
    let source: SourceText
    let text: TextLines
    /// Whether the text is a dialect's behaviour: no header, and a step without an operator is its
    /// actor's.
    let isBehaviour: Bool

    var list = DiagnosticList(errorsMax: ScenarioLimits.errorsMax)
    var header = HeaderBuilder()
    var fragments: [Fragment] = []
    var bodyCitations: [Citation] = []
    var comments: [Comment] = []
    /// The blocks that are open, outermost first; the first is the file itself.
    var frames = [Frame(.file, range: SourceRange(start: 0, end: 0))]
    /// The rule that holds for the next step.
    var citation: Citation?
    /// Whether the header is over.
    var hasSteps = false
    /// Whether the line before should have ended with `{`.
    var lacksBrace = false

    /// A block that is open.
    struct Frame {
        enum Kind {
            case file
            case anyOrder
            case repeated(count: Int, counter: Name?, every: TimeLength?)
            case eventually(Window?)
            case outcome
            case sameAs(first: [Step])
            case fragment(Name, parameters: [Name])
            /// One whose first line was not understood.
            case broken
        }

        var kind: Kind
        /// Its first line, without the comment.
        var range: SourceRange
        var steps: [Step] = []
        /// What held before it.
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

    /// Reads everything.
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

    /// Whether steps may belong to `self` here; also in a block that was not understood.
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
                    .controlByte, "a carriage return stands inside a line",
                    at: cursor.range(bare, bare + 1)
                ).help("to send it, write it as a placeholder: {{\"\\r\"}}"))
        }
        cursor.skipBlanks()
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

    /// Ends a statement: nothing but a comment may follow.
    mutating func finish(_ cursor: inout LineCursor) throws(Diagnosed) {
        guard cursor.isDone else { throw cursor.unexpected() }
        cursor.skipBlanks()
        if !cursor.isAtEnd { addComment(cursor.at, &cursor) }
    }

    private mutating func addComment(_ start: Int, _ cursor: inout LineCursor) {
        var last = cursor.end
        while last > start, text.bytes[last - 1].isBlank { last -= 1 }
        cursor.at = cursor.end
        comments.append(
            Comment(cursor.text(start, last), range: cursor.range(start, last)))
    }

    /// Adds a step to the block that is open.
    mutating func add(
        _ kind: Step.Kind, actor: Actor? = nil, range: SourceRange
    ) {
        hasSteps = true
        let step = Step(kind, actor: actor, citation: citation, range: range)
        if case .anyOrder = frames[frames.count - 1].kind, !Self.mayStandInAnyOrder(step) {
            list.add(
                error(.notInAnyOrder, "only `<-` and `<~` can stand in `any order`", at: range))
        }
        frames[frames.count - 1].steps.append(step)
    }

    /// A block was reported at its first line.
    private static func mayStandInAnyOrder(_ step: Step) -> Bool {
        guard case .expect(let expectation) = step.kind else { return !step.inner.isEmpty }
        return expectation.mode == .next || expectation.mode == .skip
    }

    func error(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, label: String = ""
    ) -> Diagnostic {
        source.diagnostic(.error, code, message, at: range, label: label)
    }
}
