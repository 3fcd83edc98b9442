import LineProtocol
import Results

/// The syntax of batches: the command that begins and ends one, and the tag of the lines in between.
struct BatchSyntax {
    /// The byte before a batch's reference, at the start or the end of the batch.
    enum Edge: UInt8 {
        case begin = 0x2B
        case end = 0x2D
    }

    /// Name of the command that begins or ends a batch.
    let verb: [UInt8]
    /// Key of the tag that contains a batch's reference; nil if there is none.
    let tag: [UInt8]?

    init?(_ dialect: Dialect) {
        guard let index = dialect.commands.command(named: "batch", .fromServer),
            case .exact(let verb) = dialect.commands.signatures[index].wire
        else { return nil }
        self.verb = verb
        tag = dialect.tagKey(of: "batch", in: "batch", .fromServer)
    }

    /// Returns the reference of the batch that a line begins or ends; nil if the line does not do
    /// that.
    func reference(_ line: [UInt8], _ edge: Edge, _ dialect: Dialect) -> [UInt8]? {
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromServer).split(line.span, 0..<line.count, into: &split)
        guard line[split.verb].elementsEqual(verb), let field = split.fields.first,
            line[field.value].first == edge.rawValue
        else { return nil }
        return Array(line[field.value].dropFirst())
    }

    /// Returns the references of the batches that a line is part of.
    func memberships(_ line: [UInt8], _ dialect: Dialect) -> [[UInt8]] {
        tag.map { LineTags(line, dialect).values(of: $0) } ?? []
    }

    /// Returns the first mistake in the references of these lines, which the server has sent to one
    /// client in this order; nil if there is none.
    func mistake(in lines: [[UInt8]], _ dialect: Dialect) -> Finding? {
        // The lines that began batches that have not ended, by reference.
        var open: [[UInt8]: [UInt8]] = [:]
        for line in lines {
            let shown = PeerBytes.shown([line])
            let ended = reference(line, .end, dialect)
            if let ended, open.removeValue(forKey: ended) == nil {
                return Finding("not-open", expected: "the end of an open batch", got: shown)
            }
            if memberships(line, dialect).contains(where: { open[$0] == nil }) {
                return Finding(
                    "unknown-reference", expected: "a reference to an open batch", got: shown)
            }
            guard let begun = reference(line, .begin, dialect) else { continue }
            guard open.updateValue(line, forKey: begun) == nil else {
                return Finding(
                    "reused", expected: "a reference to a batch that is not open", got: shown)
            }
        }
        guard let line = open.values.first else { return nil }
        return Finding(
            "unfinished", expected: "the end of the batch", got: "only \(PeerBytes.shown([line]))")
    }
}
