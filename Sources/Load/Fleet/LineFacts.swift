/// What every line that arrives is held against: plain numbers of a plan. A copy of the plan itself would count a
/// reference for each of its parts, which costs more than all the rest that is done with a line.
struct LineFacts: Sendable {
    let run: UInt32
    /// As it stands in names.
    let nameRun: UInt64
    let echoes: Bool
    let probeHasToken: Bool
    let probeAnswers: Int
    /// The number under which the server knows the first of all rooms; the others follow.
    let firstWireRoom: Int

    init(_ plan: FleetPlan) {
        run = plan.run
        nameRun = UInt64(plan.run & 0x7FFF)
        echoes = plan.playbook.echoes
        probeHasToken = plan.playbook.probeHasToken
        probeAnswers = plan.playbook.probeAnswers
        firstWireRoom = plan.wireNumber(room: 0)
    }
}
