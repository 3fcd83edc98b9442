import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// The `id.long` rule, in which a client requests an overlong name.
enum IdentityLong: CheckFamily {
    static let ruleID = "id.long"
    private static let bytes = 200

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        if let reason = NameCase.reason(subject) { return notApplicable(reason) }
        let policy = subject.dialect.policies["name-too-long"]
        let claim =
            switch policy {
            case "reject": "an overlong name is refused"
            case "cut": "an overlong name is truncated, and the client is notified"
            default: "an overlong name does not disrupt the server"
            }
        let check = Check(
            CheckID(ruleID), claim, setting: "policies.name-too-long", says: policy ?? "?",
            in: subject
        ) { maker in
            let word = maker.word()
            let name = word + String(repeating: "a", count: bytes - word.utf8.count)
            return [
                NameCase.second(
                    "\(bytes) bytes", maker.word(), name, isRefused: policy == "reject", &maker
                ) { outcome, evidence in
                    judge(policy, outcome, Array(word.utf8), Array(name.utf8), &evidence)
                }
            ]
        }
        return [.check(check)]
    }

    private static func judge(
        _ policy: String?, _ outcome: NameCase.Outcome, _ word: [UInt8], _ name: [UInt8],
        _ evidence: inout Evidence
    ) -> Judgement {
        switch outcome {
        case .refused:
            evidence.note(class: "reject")
            return policy == nil ? .observed("reject") : .passed
        // The server may accept the name at its full length.
        case .given:
            evidence.note(class: "take")
            return policy == nil ? .observed("take") : .passed
        case .other:
            let cut = evidence.entries.first { entry, _ in
                entry.operatorName == "bob" && entry.kind == .received
                    && entry.bytes.contains(word) && !entry.bytes.contains(name)
            }
            guard let cut else { return evidence.scripted() }
            evidence.note(class: "cut")
            if policy == nil { return .observed("cut") }
            if policy == "cut" { return .passed }
            return .failed(
                Finding(
                    "cut", expected: "a refusal",
                    got:
                        "the server assigned a different name: `\(escapedForDisplay(cut.entry.bytes))`"
                ))
        }
    }
}

/// The `id.chars` rule, in which a client requests a name that contains control bytes.
enum IdentityControlBytes: CheckFamily {
    static let ruleID = "id.chars"
    private static let bytes: [UInt8] = [0x01, 0x07, 0x0A, 0x0D, 0x1B, 0x7F]

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        if let reason = NameCase.reason(subject) { return notApplicable(reason) }
        let rule = subject.dialect.argumentRule(.fromClient)
        let bytes = bytes.filter { byte in
            do { return try !rule.encode([byte]).isEmpty } catch { return false }
        }
        guard !bytes.isEmpty else { return notApplicable("a name cannot contain control bytes") }
        let check = Check(
            CheckID(ruleID), "a name with a control byte is refused", setting: "arguments",
            in: subject,
            level: .robustness
        ) { maker in
            bytes.map { byte in
                let name =
                    maker.word() + String(decoding: [byte], as: UTF8.self) + "b"
                let shown = escapedForDisplay([byte])
                return NameCase.second(
                    "\(shown) in a name", maker.word(), name, isRefused: true, &maker
                ) { outcome, evidence in
                    judge(outcome, shown, &evidence)
                }
            }
        }
        return [.check(check)]
    }

    private static func judge(
        _ outcome: NameCase.Outcome, _ shown: String, _ evidence: inout Evidence
    ) -> Judgement {
        switch outcome {
        case .refused: return .passed
        case .given:
            return .failed(
                Finding("accepted", expected: "a refusal", got: "a name with \(shown) was accepted")
            )
        case .other:
            // An error line before the close also counts as a refusal.
            let stimulus = evidence.stimuli.first ?? 0
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            if answer.kind == .closed, answer.line != nil { return .passed }
            return evidence.scripted()
        }
    }
}

/// The `id.race` rule, in which many clients request the same name at once.
enum IdentityRace: CheckFamily {
    static let ruleID = "id.race"
    private static let count = 50
    /// Maximum time to wait for a server that delays logins, in nanoseconds.
    private static let waitMax: Int64 = 2_000_000_000

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        if let reason = NameCase.reason(subject) { return notApplicable(reason) }
        guard subject.bound["login"]?.uses(variable: "name") == true,
            login("x", subject) != nil
        else { return notApplicable("the client does not send the first line of the login") }
        let check = Check(
            CheckID(ruleID), "when many clients request the same name at once, exactly one gets it",
            setting: "policies.second-login", says: "refuse", in: subject, level: .robustness
        ) { maker in
            let name = maker.word()
            let bytes = login(name, maker.subject) ?? []
            var script = CaseScript("\(count) clients at once", maker.subject)
            let handles = (1...count).map { "racer\($0)" }
            for handle in handles {
                script.connect(CaseActor(handle: handle, name: handle == "racer1" ? name : handle))
            }
            for handle in handles {
                script.send(.stimulus, bytes, by: handle)
                // A scenario file runs its steps one by one, so the first client gets the name and
                // the others are refused.
                if handle == "racer1" {
                    script.require([.sync(handle)])
                } else if let refusal = maker.subject.refusalPattern {
                    script.require([.expect(handle, .skip, refusal)])
                }
            }
            script.step(.question, .sync(handles))
            // Some servers register users only once per second.
            let throttle = min(maker.subject.throttle, waitMax)
            script.step(.question, .wait(200_000_000 + throttle))
            var testCase = script.made(.any) { judge(&$0) }
            // The others are refused only because the first client holds the name.
            testCase.stays = [handles[0]]
            return [testCase]
        }
        return [.check(check)]
    }

    /// Returns the bytes that a login sends before it first waits for the server; nil if the name
    /// is not among them, or if they depend on data from the server.
    private static func login(_ name: String, _ subject: Subject) -> [UInt8]? {
        let wire = WireLine.spoken(
            by: "racer", "login", ["name": Array(name.utf8)], subject)
        guard let bytes = wire?.bytes, bytes.contains(Array(name.utf8)) else { return nil }
        return bytes
    }

    private static func judge(_ evidence: inout Evidence) -> Judgement {
        let handles = evidence.testCase.actors
        var refused: Set<String> = []
        var served: Set<String> = []
        for (entry, _) in evidence.entries {
            switch entry.kind {
            // Some servers close the connection of the client that requested the name earlier.
            case .closedByPeer, .resetByPeer: refused.insert(entry.operatorName)
            case .received where entry.role == .plain && !evidence.isUnsolicited(entry):
                if evidence.isRefusal(entry) {
                    refused.insert(entry.operatorName)
                } else {
                    served.insert(entry.operatorName)
                }
            case .received, .connected, .sent, .closed: break
            }
        }
        let winners = served.subtracting(refused)
        if winners.count > 1 {
            return .failed(
                Finding(
                    "taken-twice", expected: "one of \(handles.count) clients gets the name",
                    got: "\(winners.count) clients got it"))
        }
        // If the outcome was decided only by a timeout, the refusals may be answers to the probe.
        if winners.isEmpty, refused.count == handles.count, !evidence.result.isTimingBased {
            return .failed(
                Finding(
                    "refused", expected: "one of \(handles.count) clients gets the name",
                    got: "all clients were refused"))
        }
        if winners.isEmpty {
            return .inconclusive("no client was notified that its login succeeded")
        }
        return .passed
    }
}
