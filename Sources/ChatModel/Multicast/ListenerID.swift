/// Identifier of a multicast listener. Ids are never reused.
public struct ListenerID: Sendable, Hashable {
    let number: Int
}
