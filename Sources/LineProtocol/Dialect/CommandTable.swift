/// A dialect's commands, found by their bytes without a String.
public struct CommandTable: Sendable {
    /// The commands, in the order in which they were declared.
    public let signatures: [CommandSignature]
    private let fromClient: VerbIndex
    private let fromServer: VerbIndex
    private let byName: [String: [Int]]

    /// - Parameter ignoringCase: whether ASCII letters of either case are the same command.
    public init(_ signatures: [CommandSignature] = [], ignoringCase: Bool = false) {
        self.signatures = signatures
        fromClient = VerbIndex(signatures, .fromClient, ignoringCase: ignoringCase)
        fromServer = VerbIndex(signatures, .fromServer, ignoringCase: ignoringCase)
        byName = Dictionary(
            grouping: signatures.indices, by: { signatures[$0].name })
    }

    /// The place in ``signatures`` of the command that stands in `range`, or nil.
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

    /// The place of the command with this message name, or nil.
    public func command(named name: String, _ direction: Direction) -> Int? {
        byName[name]?.first { signatures[$0].direction.allows(direction) }
    }

    /// Every message name, sorted.
    public var names: [String] { byName.keys.sorted() }
}
