package import DialectFiles
import DialectModel
import LineProtocol

/// The dialects used to decode a capture, whether given or detected.
package struct DialectDecision: Sendable {
    /// The dialect files, in the order of ``set``.
    package var files: [DialectFile]
    package var set: DialectSet
    /// Ports with detected dialects.
    package var guesses: [(port: UInt16, candidate: DialectSearch.Candidate)] = []
    /// Ports whose lines match no dialect and are shown as plain text.
    package var unknownPorts: [UInt16] = []
    /// Ports whose dialects were detected only after the sample, each with the dialect's name.
    package var laterPorts: [(port: UInt16, name: String)] = []
    /// True if at least one dialect was given.
    package var areGiven = false
    /// True if a dialect was detected rather than given.
    package var isGuess = false
    /// Ports to decode; empty to decode all ports.
    package var onlyPorts: Set<UInt16> = []
    /// Ports that were left out, with the names of their dialects, if known.
    package var others: [(port: UInt16, name: String?)] = []
    /// True if no dialect was given or detected, and all lines are shown as plain text.
    package var isUnknown = false
    /// True if ports were given on the command line.
    package var portsAreGiven = false

    /// Creates a decision to use only the given dialects.
    package init(_ chosen: GivenDialects) {
        areGiven = true
        files = chosen.files
        set = DialectSet(files.map { BoundDialect.of($0) })
        set.ports = chosen.ports
        set.usual = chosen.usual
    }

    /// Creates a decision to use the given dialects and, for all other ports, the built-in dialects
    /// detected from a sample.
    package init(
        _ chosen: GivenDialects, _ builtIn: [(name: String, file: DialectFile)],
        _ sample: [UInt8], _ reassembly: ReassemblyOptions
    ) {
        areGiven = !chosen.files.isEmpty
        isGuess = true
        portsAreGiven = !reassembly.ports.isEmpty
        files = chosen.files + builtIn.map(\.file)
        set = DialectSet(files.map { BoundDialect.of($0) })
        set.ports = chosen.ports
        set.candidates = Array(chosen.files.count..<files.count)
        let candidates = builtIn.map { (name: $0.name, dialect: BoundDialect.of($0.file)) }
        var options = reassembly
        options.serverPorts = Set(chosen.ports.keys)
        options.likelyPorts = set.likelyPorts
        for port in DialectSearch.ports(sample, among: candidates, options)
        where set.ports[port] == nil
            && (reassembly.ports.isEmpty || reassembly.ports.contains(port))
        {
            options.ports = [port]
            guard let best = DialectSearch.best(sample, among: candidates, options),
                let index = builtIn.firstIndex(where: { $0.name == best.name })
            else {
                // The dialect of a port without lines is detected later, when its first bytes
                // arrive.
                let plain = set.dialects[set.fallback]
                guard DialectSearch.hasLines(sample, plain, options) else { continue }
                unknownPorts.append(port)
                set.ports[port] = set.fallback
                continue
            }
            guesses.append((port, best))
            set.ports[port] = chosen.files.count + index
        }
    }

    /// Creates a decision to use one dialect for all ports.
    package init(_ file: DialectFile, guess: (port: UInt16, candidate: DialectSearch.Candidate)?) {
        files = [file]
        set = DialectSet(BoundDialect.of(file))
        guesses = guess.map { [$0] } ?? []
        isGuess = true
    }

    /// The decision, limited to the dialect with the most lines and its ports. Used for formats
    /// that support only one dialect. Nil if no dialect was detected.
    package var ofMost: DialectDecision? {
        var lines: [String: Int] = [:]
        for guess in guesses {
            lines[guess.candidate.name, default: 0] += guess.candidate.fit.known
        }
        let most = lines.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        guard let first = guesses.first(where: { $0.candidate.name == most }),
            let index = set.ports[first.port]
        else { return nil }
        var result = DialectDecision(files[index], guess: nil)
        result.portsAreGiven = portsAreGiven
        result.guesses = guesses.filter { $0.candidate.name == most }
        result.others =
            guesses.filter { $0.candidate.name != most }.map { ($0.port, $0.candidate.name) }
            + unknownPorts.map { ($0, nil) }
        if !result.others.isEmpty { result.onlyPorts = Set(result.guesses.map(\.port)) }
        return result
    }

    /// Records the dialects that were detected while decoding, by port.
    mutating func add(_ ports: [UInt16: Int]) {
        for (port, index) in ports.sorted(by: { $0.key < $1.key }) where set.ports[port] == nil {
            set.ports[port] = index
            if index == set.fallback {
                unknownPorts.append(port)
            } else {
                laterPorts.append((port, files[index].dialect.name))
            }
        }
    }

    /// The dialects that were given or detected, without the fallback for ports that match no
    /// dialect.
    package var spoken: [DialectFile] {
        var indices = Set(set.ports.filter { !unknownPorts.contains($0.key) }.values)
        if let usual = set.usual { indices.insert(usual) }
        return indices.sorted().map { files[$0] }
    }
}
