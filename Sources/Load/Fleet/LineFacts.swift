/// Values from a plan that are needed for every received line. Copying the plan itself would retain
/// each of its arrays, which costs more than everything else done per line.
struct LineFacts: Sendable {
    let run: UInt32
    /// Number of the run as it appears in operator names.
    let nameRun: UInt64
    let echoes: Bool
    let probeHasToken: Bool
    let probeAnswers: Int
    /// Number of the first room on the server; the other rooms follow it.
    let firstWireRoom: Int

    init(_ plan: FleetPlan) {
        run = plan.run
        nameRun = UInt64(plan.run & 0x7FFF)
        echoes = plan.operatorScript.echoes
        probeHasToken = plan.operatorScript.probeHasToken
        probeAnswers = plan.operatorScript.probeAnswers
        firstWireRoom = plan.wireNumber(room: 0)
    }
}
