/// ID of a connection to the service. A slot is reused after its connection has ended; the
/// generation distinguishes the new connection from the old one.
package struct ClientID: Sendable, Hashable {
    package var slot: Int32
    package var generation: UInt32
}
