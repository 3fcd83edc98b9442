/// A client that takes part in a case.
struct CaseActor: Sendable, Hashable {
    /// The client's name in the scenario, such as `alice`.
    var handle: String
    /// The client's login name, which is different in each run.
    var name: String
}
