/// Identifies a listener of a multicast. Ids are never reused.
public struct ListenerID: Sendable, Hashable {
    let number: Int
}
