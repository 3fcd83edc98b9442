import DialectModel
import LineProtocol

/// A finder of the names under which the clients of a conversation log in.
struct OperatorNames: Sendable {
    private let names: LoginNames

    init(_ dialect: BoundDialect) { names = LoginNames(dialect) }

    /// The name that a client's line logs in with, if it does.
    func name(in line: RecordedLine) -> [UInt8]? { names.name(inLine: line.bytes) }
}
