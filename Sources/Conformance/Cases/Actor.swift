/// A client that takes part in a case.
struct Actor: Sendable, Hashable {
    /// Its name in the scenario: `alice`.
    var handle: String
    /// Its login name, new for each run.
    var name: String
}
