/// One who takes part in a case.
struct Actor: Sendable, Hashable {
    /// What the case calls it: `alice`.
    var handle: String
    /// The name under which it logs in: new for each play.
    var name: String
}
