package import DialectModel
import LineProtocol

/// Which dialect is spoken at which port of a capture's servers.
package struct DialectSet: Sendable {
    /// The most dialects of one capture.
    package static let dialectsMax = 64

    /// All that are spoken. A connection names one by its place.
    package let dialects: [BoundDialect]
    /// The place of the dialect that a port's servers speak.
    package var ports: [UInt16: Int] = [:]
    /// The place of the dialect of all other ports; nil: what each connection looks like.
    package var usual: Int?
    /// The places among which is chosen by what a connection looks like; one that knows every line comes
    /// last and is taken if no other fits.
    package var candidates: [Int] = []

    /// One dialect at all ports.
    package init(_ dialect: BoundDialect) {
        dialects = [dialect]
        usual = 0
    }

    /// Several; not more than ``dialectsMax`` count.
    package init(_ dialects: [BoundDialect]) {
        self.dialects = Array(dialects.prefix(Self.dialectsMax))
    }

    /// The ports that servers are likely to have.
    var likelyPorts: Set<UInt16> {
        Set(ports.keys).union(
            dialects.compactMap { $0.dialect.port.flatMap(UInt16.init(exactly:)) })
    }
}
