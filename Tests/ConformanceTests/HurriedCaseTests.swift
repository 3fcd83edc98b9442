import Results
import Scenario
import Session
import Testing

@testable import Conformance

/// Cases that wait for a short time, because they repeat a failure.
struct HurriedCaseTests {
    private func testCase() throws -> CheckCase {
        let subject = try EvidenceTable.subject("irc")
        var script = CaseScript("a stale session", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice77"))
        script.step(.stimulus, .close("alice"))
        script.freed("alice")
        script.step(.question, .nameFree("soon", within: 1_000_000_000))
        return script.made()
    }

    private func texts(_ testCase: CheckCase) -> [String] { testCase.steps.map(\.text) }

    @Test func waitsAreShorter() throws {
        let plain = try testCase()
        let hurried = plain.hurried
        #expect(plain.patience == 25_000_000_000)
        #expect(hurried.patience == CheckCase.hurriedPatience)
        #expect(texts(plain).contains { $0.contains("alice77") && $0.contains("within 5s") })
        #expect(texts(hurried).contains { $0.contains("alice77") && $0.contains("within 1500ms") })
    }

    @Test func shorterWaitsAndOtherStepsStay() throws {
        let plain = try testCase()
        var short = plain
        short.patience = 500_000_000
        #expect(short.hurried.patience == 500_000_000)
        #expect(texts(plain.hurried).contains { $0.contains("soon") && $0.contains("within 1s") })
        #expect(
            texts(plain.hurried).filter { !$0.contains("free") }
                == texts(plain).filter { !$0.contains("free") })
    }

    @Test func aHeavyCaseWaitsLonger() throws {
        var plain = try testCase()
        plain.setPatience(3_000_000_000)
        #expect(plain.patience == 3_000_000_000)
        plain.isHeavy = true
        plain.setPatience(3_000_000_000)
        #expect(plain.patience == 8_000_000_000)
        #expect(plain.hurried.patience == CheckCase.hurriedPatience + 5_000_000_000)
    }

    @Test func newNamesDependOnTheSeedAndThePart() throws {
        let plain = try testCase()
        let names = [(1, "a"), (1, "b"), (2, "a"), (2, "b")].map { seed, part in
            plain.renamed(seed: seed, part: part).actors[0].name
        }
        #expect(Set(names + ["alice77"]).count == 5)
        #expect(plain.renamed(seed: 1, part: "a").actors[0].name == names[0])
    }

    @Test func slowLoginsExtendAllWaits() throws {
        var subject = try EvidenceTable.subject("irc")
        subject.loginTime = 1_000_000_000
        var script = CaseScript("a stale session", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice77"))
        script.step(.stimulus, .close("alice"))
        script.freed("alice")
        var testCase = script.made()
        #expect(testCase.patience == 26_000_000_000)
        #expect(testCase.hurried.patience == CheckCase.hurriedPatience + 1_000_000_000)
        #expect(
            texts(testCase.hurried).contains { $0.contains("free") && $0.contains("within 2500ms") }
        )
        testCase.setPatience(3_000_000_000)
        #expect(testCase.patience == 4_000_000_000)
    }

    @Test(arguments: [Int64(0), 1_000_000_000])
    func clientsConnectFirstIfLoginsAreSlow(loginTime: Int64) throws {
        var subject = try EvidenceTable.subject("irc")
        subject.loginTime = loginTime
        let check = try #require(
            Catalogue(subject).checks.first { $0.id.description == "frame.empty" })
        let testCase = try #require(check.cases(subject, seed: 1).first)
        let connects = ["alice", "bob", "bystander"].map { "\($0) connect" }
        func steps(isWritten: Bool) -> [String] {
            CaseScenario(testCase, check.heading, subject, isWritten: isWritten).text
                .split(separator: "\n").map(String.init)
                .filter { $0.hasSuffix(" connect") || $0.hasPrefix("use login") }
        }
        let logins = steps(isWritten: true)
        #expect(logins.count == 3 && logins.allSatisfy { $0.hasPrefix("use login") }, "\(logins)")
        #expect(steps(isWritten: false) == (loginTime > 0 ? connects : []) + logins)
    }
}
