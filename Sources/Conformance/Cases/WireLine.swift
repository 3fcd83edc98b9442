import Diagnostics
import LineProtocol
import Scenario
import Session

/// A line as it goes over the wire, in its parts.
struct WireLine: Sendable, Hashable {
    /// Without its terminator.
    var line: [UInt8]
    /// What ends it.
    var terminator: [UInt8]
    /// What follows: a payload and what ends that.
    var tail: [UInt8]

    /// All of it.
    var bytes: [UInt8] { line + terminator + tail }

    /// Divides bytes at the first terminator.
    init?(_ bytes: [UInt8], terminator: [UInt8]) {
        guard let place = bytes.firstRange(of: terminator) else { return nil }
        line = Array(bytes[..<place.lowerBound])
        self.terminator = terminator
        tail = Array(bytes[place.upperBound...])
    }

    /// What a behaviour sends first, played without a server; nil if that depends on what the server says.
    static func spoken(
        by name: String, _ behaviour: String, _ arguments: String, _ subject: Subject,
        fragments: [String] = []
    ) -> WireLine? {
        let text =
            "operators \(name)\n\(name) connect\nuse \(behaviour) as \(name)\(arguments)\n"
            + fragments.map { $0 + "\n" }.joined()
        guard
            let file = try? ScenarioParser.file(
                from: SourceText(path: "", bytes: Array(text.utf8))),
            let program = try? ProgramCompiler.compile(
                file, with: subject.dialect, dialectSource: subject.source,
                given: Set(subject.variables.keys))
        else { return nil }
        var session = ScenarioSession(
            program, options: PlayOptions(variables: subject.variables))
        session.start(at: 0)
        session.handle(.connected(ConnectionID(operatorIndex: 0, generation: 1)), at: 0)
        var bytes: [UInt8] = []
        while let action = session.nextAction() {
            if case .send(_, let sent) = action { bytes += sent }
        }
        return WireLine(bytes, terminator: subject.terminator)
    }

    /// The line of the dialect's probe with a token of its own; nil where there is none.
    static func probe(_ subject: Subject) -> WireLine? {
        guard subject.has("probe") else { return nil }
        return spoken(by: "prober", "probe", "", subject)
    }

    /// Where the command stands in the line.
    func verb(_ dialect: Dialect) -> Range<Int> {
        var split = SplitLine()
        LineSplitter(dialect).split(line.span, 0..<line.count, into: &split)
        return split.verb
    }
}
