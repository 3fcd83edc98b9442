/// A listener of one multicast: it is given once and never again.
public struct ListenerID: Sendable, Hashable {
    let number: Int
}
