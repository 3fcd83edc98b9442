package import DialectModel
import LineProtocol

/// The dialects that a capture may use, and the server ports known to use each of them.
package struct DialectSet: Sendable {
    package static let dialectsMax = 64

    /// All dialects. Connections refer to them by index.
    package let dialects: [BoundDialect]
    /// Server ports with known dialects, each with the index of its dialect.
    package var ports: [UInt16: Int] = [:]
    /// Index of the dialect for all other ports; nil to detect the dialect of each connection.
    package var usual: Int?
    /// Indices of the dialects that detection considers.
    package var candidates: [Int] = []
    /// Index of the plain-text candidate, for traffic that matches no dialect.
    var fallback: Int { candidates.last { dialects[$0].dialect.isPlainText } ?? 0 }

    /// Creates a set with one dialect for all ports.
    package init(_ dialect: BoundDialect) {
        dialects = [dialect]
        usual = 0
    }

    /// Creates a set of up to ``dialectsMax`` dialects; any others are ignored.
    package init(_ dialects: [BoundDialect]) {
        self.dialects = Array(dialects.prefix(Self.dialectsMax))
    }

    /// Ports that servers probably use: ports with known dialects, and the dialects' default ports.
    var likelyPorts: Set<UInt16> {
        Set(ports.keys).union(
            dialects.compactMap { $0.dialect.port.flatMap(UInt16.init(exactly:)) })
    }
}
