package import DialectModel
import LineProtocol

/// The dialects in a capture, by server port.
package struct DialectSet: Sendable {
    package static let dialectsMax = 64

    /// All dialects. Connections refer to them by index.
    package let dialects: [BoundDialect]
    /// Index of the dialect for each of these server ports.
    package var ports: [UInt16: Int] = [:]
    /// Index of the dialect for all other ports; nil to detect the dialect of each connection.
    package var usual: Int?
    /// Indices of the dialects that detection considers. A dialect that accepts every line must
    /// come last, so that it is chosen only if no other one matches.
    package var candidates: [Int] = []

    /// Creates a set with one dialect for all ports.
    package init(_ dialect: BoundDialect) {
        dialects = [dialect]
        usual = 0
    }

    /// Creates a set of up to ``dialectsMax`` dialects; any others are ignored.
    package init(_ dialects: [BoundDialect]) {
        self.dialects = Array(dialects.prefix(Self.dialectsMax))
    }

    /// Ports that servers probably use.
    var likelyPorts: Set<UInt16> {
        Set(ports.keys).union(
            dialects.compactMap { $0.dialect.port.flatMap(UInt16.init(exactly:)) })
    }
}
