/// Values from a plan that are needed for every received line. They are copied because passing the
/// plan itself would retain each of its arrays, at a higher cost than all other work per line.
struct LineFacts: Sendable {
    let run: UInt32
    /// The run's number as it appears in operator names.
    let nameRun: UInt64
    let echoes: Bool
    let probeHasToken: Bool
    let probeAnswers: Int
    /// The first room's number on the server. Room numbers are consecutive.
    let firstWireRoom: Int
    /// True in the closed model, where operators wait between turns.
    let isClosed: Bool

    init(_ plan: FleetPlan) {
        run = plan.run
        nameRun = UInt64(plan.run & 0x7FFF)
        echoes = plan.operatorScript.echoes
        probeHasToken = plan.operatorScript.probeHasToken
        probeAnswers = plan.operatorScript.probeAnswers
        firstWireRoom = plan.wireNumber(room: 0)
        isClosed = if case .closed = plan.model { true } else { false }
    }
}
