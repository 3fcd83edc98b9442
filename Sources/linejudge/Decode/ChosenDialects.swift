import DialectModel
import Capture
import Diagnostics
import DialectFiles
import LineProtocol
import Results
import Runner

/// The dialects that a person says are spoken, and where.
struct ChosenDialects: Sendable {
    var files: [DialectFile] = []
    var ports: [UInt16: Int] = [:]
    /// The dialect of all other ports; nil: it is guessed.
    var usual: Int?

    /// Finds the dialects; `other` is what a server's address says.
    init(_ arguments: [DialectArgument], _ other: String?) throws {
        guard arguments.count < DialectSet.dialectsMax / 2 else {
            throw CommandFailure(.usage, .badOption, "there are too many --dialect")
        }
        for argument in arguments {
            files.append(try DialectLibrary.find(argument.name))
            if let port = argument.port {
                guard ports[port] == nil else {
                    throw CommandFailure(
                        .usage, .badOption, "there are two dialects for port \(port)")
                }
                ports[port] = files.count - 1
            } else {
                guard usual == nil else {
                    throw CommandFailure(
                        .usage, .badOption, "there are two dialects for all ports",
                        help: "say which port each is for: --dialect irc@6667 --dialect nats@4222")
                }
                usual = files.count - 1
            }
        }
        if arguments.isEmpty, let other {
            files = [try DialectLibrary.find(other)]
            usual = 0
        }
    }

    /// What is to be said, before traffic is waited for, of commands that none of the dialects has.
    func doubts(on commands: [String]) -> [Diagnostic] {
        guard !files.isEmpty, usual != nil else { return [] }
        let unknown = UnknownCommands(dialects: files)
        return unknown.among(commands).map {
            unknown.diagnostic($0, .warning, "; only lines that begin with that word are shown")
        }
    }
}

/// The dialects that a capture is decoded with, and what led to them.
struct DialectDecision: Sendable {
    /// By their places in ``set``.
    var files: [DialectFile]
    var set: DialectSet
    /// What ports were taken for.
    var guesses: [(port: UInt16, candidate: DialectSearch.Candidate)] = []
    /// Ports whose dialect nobody knows.
    var unknownPorts: [UInt16] = []
    /// Whether anything was left to be guessed.
    var isGuess = false
    /// The only ports that count, where others speak something else; empty: all do.
    var onlyPorts: Set<UInt16> = []
    /// What is spoken at those that do not count: a dialect's name, or nil.
    var others: [(port: UInt16, name: String?)] = []
    /// Whether a person said which ports count.
    var portsAreGiven = false

    /// What was said, and nothing else.
    init(_ chosen: ChosenDialects) {
        files = chosen.files
        set = DialectSet(files.map { BoundDialect.of($0) })
        set.ports = chosen.ports
        set.usual = chosen.usual
    }

    /// What was said, and the built-in dialects for all else.
    init(
        _ chosen: ChosenDialects, _ builtIn: [(name: String, file: DialectFile)],
        _ sample: [UInt8], _ reassembly: ReassemblyOptions
    ) {
        isGuess = true
        portsAreGiven = !reassembly.ports.isEmpty
        files = chosen.files + builtIn.map(\.file)
        set = DialectSet(files.map { BoundDialect.of($0) })
        set.ports = chosen.ports
        set.candidates = Array(chosen.files.count..<files.count)
        let candidates = builtIn.map { (name: $0.name, dialect: BoundDialect.of($0.file)) }
        var options = reassembly
        options.likelyPorts = set.ports.keys.reduce(into: []) { $0.insert($1) }
        for dialect in set.dialects {
            if let port = dialect.dialect.port.flatMap(UInt16.init(exactly:)) {
                options.likelyPorts.insert(port)
            }
        }
        for port in DialectSearch.ports(sample, among: candidates, options)
        where set.ports[port] == nil
            && (reassembly.ports.isEmpty || reassembly.ports.contains(port))
        {
            options.ports = [port]
            guard let best = DialectSearch.best(sample, among: candidates, options),
                let place = builtIn.firstIndex(where: { $0.name == best.name })
            else {
                unknownPorts.append(port)
                continue
            }
            guesses.append((port, best))
            set.ports[port] = chosen.files.count + place
        }
    }

    /// One dialect for all of it.
    init(_ file: DialectFile, guess: (port: UInt16, candidate: DialectSearch.Candidate)?) {
        files = [file]
        set = DialectSet(BoundDialect.of(file))
        guesses = guess.map { [$0] } ?? []
        isGuess = true
    }

    /// The dialect in which most lines were said, for what can be of one only; ports at which others are
    /// spoken do not count. Nil where nothing is known of any port.
    var ofMost: DialectDecision? {
        var lines: [String: Int] = [:]
        for guess in guesses { lines[guess.candidate.name, default: 0] += guess.candidate.known }
        let most = lines.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        guard let first = guesses.first(where: { $0.candidate.name == most }),
            let place = set.ports[first.port]
        else { return nil }
        var result = DialectDecision(files[place], guess: nil)
        result.portsAreGiven = portsAreGiven
        result.guesses = guesses.filter { $0.candidate.name == most }
        result.others =
            guesses.filter { $0.candidate.name != most }.map { ($0.port, $0.candidate.name) }
            + unknownPorts.map { ($0, nil) }
        if !result.others.isEmpty { result.onlyPorts = Set(result.guesses.map(\.port)) }
        return result
    }

    /// The dialects that are spoken for sure, or were taken to be.
    var spoken: [DialectFile] {
        var places = Set(set.ports.values)
        if let usual = set.usual { places.insert(usual) }
        return places.sorted().map { files[$0] }
    }
}
