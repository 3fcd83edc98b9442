/// The commands of a dialect, indexed by wire name.
public struct CommandTable: Sendable {
    /// The commands in declaration order.
    public let signatures: [CommandSignature]
    private let fromClient: VerbIndex
    private let fromServer: VerbIndex
    private let byName: [String: [Int]]

    /// Creates a table. With `ignoringCase`, wire names that differ only in ASCII case refer to the
    /// same command.
    public init(_ signatures: [CommandSignature] = [], ignoringCase: Bool = false) {
        self.init(signatures, ignoringCase: PerDirection(ignoringCase))
    }

    /// Creates a table for a dialect in which the sides may treat case differently.
    package init(_ signatures: [CommandSignature], ignoringCase: PerDirection<Bool>) {
        self.signatures = signatures
        fromClient = VerbIndex(
            signatures, .fromClient, ignoringCase: ignoringCase[.fromClient])
        fromServer = VerbIndex(
            signatures, .fromServer, ignoringCase: ignoringCase[.fromServer])
        byName = Dictionary(
            grouping: signatures.indices, by: { signatures[$0].name })
    }

    /// Returns the index in ``signatures`` of the command whose wire name is in `range`, or nil.
    public func command(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ direction: Direction
    ) -> Int? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe index(direction).find(buffer, range)
        }
    }

    func index(_ direction: Direction) -> VerbIndex {
        direction == .fromClient ? fromClient : fromServer
    }

    /// Returns the index of the command with this name in the dialect, or nil.
    public func command(named name: String, _ direction: Direction) -> Int? {
        byName[name]?.first { signatures[$0].direction.allows(direction) }
    }

    /// The names of all commands in the dialect, sorted.
    public var names: [String] { byName.keys.sorted() }
}
