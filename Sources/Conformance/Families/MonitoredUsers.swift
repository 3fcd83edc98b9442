import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `monitor` rule: a client is notified when a user that it monitors goes online or offline.
enum MonitoredUsers: CheckFamily {
    static let ruleID = "monitor"
    /// Name of the fragment stating that the user is not reported.
    private static let unreported = "unreported"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let behaviours = ["monitor", "monitor-off", "monitor-online", "monitor-offline"]
        guard subject.has("login"), behaviours.allSatisfy(subject.has),
            let online = subject.bound["monitor-online"]
        else { return notApplicable("clients cannot monitor users") }
        let check = Check(
            CheckID(ruleID),
            "a client is notified when a user that it monitors goes online or offline",
            setting: "behaviours.monitor", in: subject
        ) { maker in
            var script = maker.script(
                "a login and a close while monitored, then a login while not monitored")
            script.fragments = [
                Fragment(
                    unreported, online.parameters, online.steps.map { $0.expecting(.never) })
            ]
            let name = maker.word()
            script.report("monitor", name, role: .control)
            script.barrier("alice", role: .control)
            script.arrive("bob", name)
            script.report("monitor-online", name)
            script.step(.stimulus, .close("bob"))
            script.report("monitor-offline", name)
            script.report("monitor-off", name, role: .stimulus)
            script.step(.question, .sync("alice"))
            script.arrive("carol", name)
            script.report(unreported, name)
            script.barrier("alice")
            return [script.made { Liveness.patient($0.scripted()) }]
        }
        return [.check(check.needing(["monitor"], subject))]
    }
}

extension CaseScript {
    /// Adds a step in which alice uses a behaviour with the given user name.
    fileprivate mutating func report(
        _ behaviour: String, _ name: String, role: CaseStep.Role = .question
    ) {
        step(role, .use(behaviour, as: "alice", [Argument("user", .text(name))]))
    }

    /// Adds a client that logs in under the given name.
    fileprivate mutating func arrive(_ handle: String, _ name: String) {
        let actor = CaseActor(handle: handle, name: name)
        note(actor: actor)
        if let login = subject.bound["login"] { step(.stimulus, login.use(by: actor)) }
    }
}
