import DialectModel
import LineProtocol
import Scenario

extension CheckCase {
    /// Returns the case with a scenario file that forbids refusals of the stimuli, for findings in
    /// which the server refuses a line but also does what is expected. Returns nil if that makes no
    /// difference.
    func forbiddingRefusals(_ subject: Subject) -> CheckCase? {
        let stimuli = steps.indices.filter { steps[$0].role == .stimulus }
        guard let first = stimuli.first, !subject.bound.rejects.isEmpty else { return nil }
        let senders = Set(stimuli.compactMap { steps[$0].handle })
        var copy = self
        for index in (first + 1)..<steps.count
        where steps[index].isBarrier && steps[index].requires.isEmpty {
            guard let handle = steps[index].handle, senders.contains(handle),
                let actor = actors.first(where: { $0.handle == handle })
            else { continue }
            copy.steps[index].requires = subject.bound.rejects.map {
                .expect(handle, .never, $0, to: actor)
            }
        }
        return copy.steps == steps ? nil : copy
    }
}

extension Step {
    /// Returns an expectation of one of the dialect's own patterns, in which `{{name}}` is the
    /// client's login name.
    static func expect(
        _ handle: String, _ mode: Expectation.Mode, _ pattern: Pattern, to actor: CaseActor
    ) -> Step {
        let name = Array(actor.name.utf8)
        let literal = Template.Piece.literal(Template.Literal(name, range: .none))
        return Step.expect(handle, mode, pattern.replacing("name", with: name))
            .mapTemplates { $0.replacing(name, with: literal) }
    }
}
