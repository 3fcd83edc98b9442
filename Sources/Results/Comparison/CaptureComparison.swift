/// Differences between the answers of a server in two captures, as stored in a JSON file with the
/// `linejudge.capture-comparison/1` schema.
package struct CaptureComparison: Sendable, Codable, Equatable {
    package static let schema = "linejudge.capture-comparison/1"

    package var schema = Self.schema
    package var toolVersion: String
    package var verdict = Verdict.passed
    package var dialect: String
    /// The two captures: the baseline, and the one compared with it.
    package var captures: [Capture]
    /// Number of conversations in both captures.
    package var conversations = 0
    /// Number of the clients' lines in both captures.
    package var requests = 0
    package var differences: [Difference] = []
    /// Values that differ, but may also vary from run to run.
    package var varying: [Difference] = []
    package var notes: [String] = []

    /// A compared capture.
    package struct Capture: Sendable, Codable, Equatable {
        package var letter: String
        package var name: String
        package var conversations: Int
        package var lines: Int

        package init(letter: String, name: String, conversations: Int, lines: Int) {
            self.letter = letter
            self.name = name
            self.conversations = conversations
            self.lines = lines
        }
    }

    /// The kind of a difference.
    package enum Kind: String, Sendable, Codable {
        /// A line is missing in the second capture.
        case missing
        /// A line is only in the second capture.
        case additional
        /// Another command is in the place of a line.
        case replaced
        /// A request has no answer in the second capture.
        case unanswered
        /// An argument has another value, or is only in one of the captures.
        case argument
        /// A word is replaced by another one in several commands or arguments.
        case renamed
        /// Lines from the same source are in another order.
        case order
        /// The server ends a connection early.
        case closed
    }

    /// A kind of difference, with one example.
    package struct Difference: Sendable, Codable, Equatable {
        package var kind: Kind
        /// The client's command before the line; nil if the line comes from another client, or
        /// before the first line of the client.
        package var request: String?
        /// The command of the line in the first capture, or of an additional line.
        package var line: String?
        /// The command in its place.
        package var replacement: String?
        package var argument: String?
        /// An example of the value in both captures.
        package var before: String?
        package var after: String?
        /// True if the line comes from another client, such as a message.
        package var isUnsolicited: Bool
        package var count = 0
        /// Number of comparable cases; nil if there is no such number.
        package var total: Int?
        package var example: Example?

        package init(_ kind: Kind, isUnsolicited: Bool = false) {
            self.kind = kind
            self.isUnsolicited = isUnsolicited
        }
    }

    /// The lines that show a difference.
    package struct Example: Sendable, Codable, Equatable {
        package var request: Line?
        package var before: Line?
        package var after: Line?

        package init(request: Line? = nil, before: Line? = nil, after: Line? = nil) {
            self.request = request
            self.before = before
            self.after = after
        }
    }

    /// A line in a capture.
    package struct Line: Sendable, Codable, Equatable {
        package var packet: Int
        /// Time in RFC 3339 format; nil if the packet has none.
        package var time: String?
        package var connection: Int
        package var `operator`: String
        /// The line as in the log of `decode`, with secrets masked.
        package var text: String

        package init(
            packet: Int, time: String?, connection: Int, operator: String, text: String
        ) {
            self.packet = packet
            self.time = time
            self.connection = connection
            self.operator = `operator`
            self.text = text
        }
    }

    package init(toolVersion: String, dialect: String, captures: [Capture]) {
        self.toolVersion = toolVersion
        self.dialect = dialect
        self.captures = captures
    }
}

extension CaptureComparison.Difference {
    /// A description in words. `quote` marks names and values.
    package func text(_ quote: (String) -> String) -> String {
        let line = quote(line ?? "")
        let share = total.map { "\(count) of \($0)" } ?? "\(count)"
        let start = isUnsolicited ? "" : (request.map { quote($0) } ?? "on connecting") + ": "
        switch kind {
        case .missing:
            return isUnsolicited
                ? "\(share) unsolicited \(line) lines are missing"
                : start + "\(share) answers lack \(line)"
        case .additional:
            return isUnsolicited
                ? "\(count) unsolicited \(line) \(count == 1 ? "line is" : "lines are") new"
                : start + "\(share) answers also contain \(line)"
        case .replaced:
            return (isUnsolicited ? "unsolicited lines: " : start)
                + "\(quote(replacement ?? "")) instead of \(line) (\(times))"
        case .unanswered: return start + "\(share) not answered"
        case .argument:
            return "\(line) has another \(quote(argument ?? "")): \(change(quote)) (\(times))"
        case .renamed: return "\(change(quote)) in several lines (\(times))"
        case .order: return "\(line) lines from the same source in another order (\(times))"
        case .closed: return start + "the server ends the connection (\(times))"
        }
    }

    private var times: String { count == 1 ? "once" : "\(count) times" }

    private func change(_ quote: (String) -> String) -> String {
        (before.map(quote) ?? "none") + " → " + (after.map(quote) ?? "none")
    }
}
