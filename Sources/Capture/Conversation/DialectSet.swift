package import DialectModel
import LineProtocol

/// Dialects of a capture by server port.
package struct DialectSet: Sendable {
    package static let dialectsMax = 64

    /// All dialects; connections refer to them by index.
    package let dialects: [BoundDialect]
    /// Dialect index by server port.
    package var ports: [UInt16: Int] = [:]
    /// Dialect index for all other ports; nil detects the dialect of each connection.
    package var usual: Int?
    /// Dialect indices considered for detection. One that accepts every line must come last, so that it is
    /// chosen only if no other matches.
    package var candidates: [Int] = []

    /// Creates a set with one dialect for all ports.
    package init(_ dialect: BoundDialect) {
        dialects = [dialect]
        usual = 0
    }

    /// Creates a set of up to ``dialectsMax`` dialects; further ones are ignored.
    package init(_ dialects: [BoundDialect]) {
        self.dialects = Array(dialects.prefix(Self.dialectsMax))
    }

    /// Ports that servers probably use.
    var likelyPorts: Set<UInt16> {
        Set(ports.keys).union(
            dialects.compactMap { $0.dialect.port.flatMap(UInt16.init(exactly:)) })
    }
}
