import LineProtocol

/// A test of a behaviour, or of several that belong together.
struct BehaviourTest: Sendable {
    /// The property that decides the verdict if the scenario passes.
    enum Judgement: Sendable, Equatable {
        /// No other property: only the scenario decides.
        case scenario
        /// Reports the greeting, or the lines that arrive although none is expected.
        case greeting
        /// The probe is answered once.
        case probe
        /// Reports whether the server closed the connection.
        case logout
        /// The server treats a second login with the same name as the dialect specifies.
        case secondLogin
        /// The connection stays open, and the server's pings are answered.
        case pings
    }

    var title: String
    /// The behaviours that count as failed if the test fails.
    var behaviours: [String]
    var script: BehaviourScript
    var judgement = Judgement.scenario
    /// Reason that the test cannot run; nil if it can.
    var reason: String?

    /// Names by which the user can select the test.
    var names: [String] { [title] + behaviours.filter { $0 != title } }

    /// The behaviours that the test uses and that have tests of their own.
    var requirements: [String] { script.used.filter { !behaviours.contains($0) } }
}
