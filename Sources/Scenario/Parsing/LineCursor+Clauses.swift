import Diagnostics

/// What may follow wire text after two blanks.
enum Clause: String, CaseIterable {
    case payload
    case within
    case `for`
    case reply
}

/// The clauses of a step.
struct Clauses {
    var payload: Template?
    var window: Window?
    /// Whether a `reply` was found; the cursor then stands behind its arrow.
    var hasReply = false
}

extension LineCursor {
    /// The clause that starts at an offset: its word, and then what only a clause has there.
    func clause(at offset: Int) -> Clause? {
        var cursor = self
        cursor.at = offset
        guard let word = cursor.name(), let clause = Clause(rawValue: word.text) else { return nil }
        cursor.skipBlanks()
        switch clause {
        case .payload: return cursor.peek() == UInt8(ascii: "\"") ? clause : nil
        case .within, .for: return cursor.peek()?.isDigit == true ? clause : nil
        case .reply: return cursor.starts(with: "->") ? clause : nil
        }
    }

    /// Clauses up to a comment or the line's end, or to `reply ->`.
    mutating func clauses(
        _ allowed: [Clause], use: TemplateUse, of what: String
    ) throws(Diagnosed) -> Clauses {
        var clauses = Clauses()
        var seen: [Clause] = []
        while !isDone {
            skipBlanks()
            let start = at
            guard let word = name(), let clause = Clause(rawValue: word.text) else {
                at = start
                throw unexpected()
            }
            if !allowed.contains(clause) || seen.contains(clause) {
                let again = seen.contains(clause) && allowed.contains(clause)
                let message =
                    again ? "`\(clause)` stands here twice" : "\(what) takes no `\(clause)`"
                throw Diagnosed(
                    error(.misplacedClause, message, at: word.range)
                        .help("to have it as text, put a placeholder before it: {{\"\"}}\(clause)"))
            }
            seen.append(clause)
            switch clause {
            case .payload: clauses.payload = try payload(use)
            case .within: clauses.window = try window(from: start)
            case .for: clauses.window = Window(latest: try duration(), range: range(from: start))
            case .reply:
                try replyArrow()
                clauses.hasReply = true
                return clauses
            }
        }
        return clauses
    }

    private mutating func payload(_ use: TemplateUse) throws(Diagnosed) -> Template {
        skipBlanks()
        guard peek() == UInt8(ascii: "\"") else {
            throw Diagnosed(
                error(
                    .missingText, "expected a quoted string, found \(nextText)", at: nextToken))
        }
        return try string(use)
    }

    private mutating func replyArrow() throws(Diagnosed) {
        skipBlanks()
        guard skip("->") else {
            throw Diagnosed(
                error(.missingArrow, "expected `->`, found \(nextText)", at: nextToken))
        }
    }

    /// A complaint about what is next.
    func unexpected(_ what: String = "nothing more") -> Diagnosed {
        var cursor = self
        cursor.skipBlanks()
        return Diagnosed(
            error(
                .unexpectedText, "expected \(what), found \(cursor.nextText)",
                at: cursor.nextToken))
    }
}
