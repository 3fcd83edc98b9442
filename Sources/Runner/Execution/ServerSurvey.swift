import LineProtocol
import Results

/// The features that a server supports, or the reason they are unknown.
enum ServerSurvey: Sendable {
    case offers(ServerOffers)
    /// The server could not be reached.
    case unreachable
    case failed(String)
}

/// The features that a server supports.
struct ServerOffers: Sendable {
    /// Values of the supported features, by kind and name.
    var values: [String: [String: [UInt8]]] = [:]

    /// Returns the value of a needed feature; nil if the server does not support the feature. The
    /// value is empty if the feature has none.
    func value(of need: OfferedName, _ offer: Offer) -> [UInt8]? {
        switch offer {
        case .listed, .unlessRefused: values[need.kind]?[need.name]
        case .letters(let names): hasLetter(need.name, in: names) ? [] : nil
        }
    }

    private func hasLetter(_ letter: String, in names: [OfferedName]) -> Bool {
        guard letter.utf8.count == 1, let byte = letter.utf8.first else { return false }
        return names.contains { values[$0.kind]?[$0.name]?.contains(byte) ?? false }
    }
}

/// A cache of server surveys, so that each survey is run once and its result is shared.
actor ServerSurveys {
    private var tasks: [String: Task<ServerSurvey, Never>] = [:]
    /// Number of surveys started so far.
    private var count = 0

    /// Returns the survey with this key, and runs it if necessary. A failed survey is run again for
    /// the next scenario.
    ///
    /// - Parameter run: Function that runs the survey. Its argument is a number that makes the
    ///   login name unique, because a server may keep the name of a failed survey.
    func survey(
        _ key: String, _ run: @escaping @Sendable (Int) async -> ServerSurvey
    ) async -> ServerSurvey {
        if let task = tasks[key] { return await outcome(of: task, key) }
        count += 1
        let number = count
        let task = Task { await run(number) }
        tasks[key] = task
        return await outcome(of: task, key)
    }

    private func outcome(
        of task: Task<ServerSurvey, Never>, _ key: String
    ) async -> ServerSurvey {
        let found = await task.value
        if case .offers = found {} else if tasks[key] == task { tasks[key] = nil }
        return found
    }
}

/// The lines that the server sent during a survey, with access to their arguments by name.
struct ReceivedArguments {
    private let decoder: MessageDecoder
    private let lines: [[UInt8]]

    init(_ transcript: [TranscriptEntry], _ dialect: Dialect) {
        decoder = MessageDecoder(dialect)
        lines = transcript.filter { $0.kind == .received }.map(\.bytes)
    }

    /// Returns the values of an argument in all lines with this command. A variadic argument has
    /// several values per line.
    func values(of argument: String, in command: String) -> [[UInt8]] {
        values(in: command) { $0 == argument }
    }

    /// Returns the values of all arguments in all lines with this command.
    func values(in command: String) -> [[UInt8]] { values(in: command) { _ in true } }

    private func values(
        in command: String, of isIncluded: (_ argument: String) -> Bool
    ) -> [[UInt8]] {
        var message = Message()
        return lines.flatMap { line -> [[UInt8]] in
            decoder.decode(line, from: .fromServer, into: &message)
            guard let index = message.command else { return [] }
            let signature = decoder.commands.signatures[index]
            guard signature.name == command else { return [] }
            return signature.arguments.indices.filter { isIncluded(signature.arguments[$0].name) }
                .flatMap { message.value(at: $0, of: signature, in: line.span).texts }
        }
    }

    /// Returns the names in an argument, with their values. The argument consists of `NAME` or
    /// `NAME=VALUE` words, separated by spaces.
    func names(in argument: String, of command: String) -> [String: [UInt8]] {
        var names: [String: [UInt8]] = [:]
        for value in values(of: argument, in: command) {
            for word in value.split(separator: UInt8(ascii: " ")) {
                let end = word.firstIndex(of: UInt8(ascii: "=")) ?? word.endIndex
                names[String(decoding: word[..<end], as: UTF8.self)] = Array(
                    word[end...].dropFirst())
            }
        }
        return names
    }
}

extension ArgumentValue {
    /// The strings in the value; empty for types that cannot contain names.
    fileprivate var texts: [[UInt8]] {
        switch self {
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes): [bytes]
        case .int(let number): [Array(String(number).utf8)]
        case .list(let values): values.flatMap(\.texts)
        case .absent, .bool, .decimal, .time, .choice: []
        }
    }
}
