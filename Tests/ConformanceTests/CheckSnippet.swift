import DialectFiles
import DialectModel
import ReferenceServer
import Results
import TestServers
import Testing

@testable import Conformance

/// The code in `docs/check.md`.
struct CheckSnippet {
    // snippet: check family
    /// frame.example: what it tests.
    enum FrameExample: CheckFamily {
        static let ruleID = "frame.example"

        static func entries(_ subject: Subject) -> [CatalogueEntry] {
            guard subject.talk?.isOneLine == true else {
                return notApplicable("the dialect has no text that fits in one line")
            }
            let check = Check(
                CheckID(ruleID), "the requirement as a sentence",
                setting: "framing.accept", says: "LF", in: subject  // provides clause and level
            ) { maker in
                var script = maker.talkingScript("what this case tests")  // alice and bob can talk
                script.barrier("alice", role: .control)
                script.speak("text\(maker.word())", by: "alice") { [$0.line, $0.terminator] }
                script.hear(as: "bob")
                script.barrier("alice")
                script.quiet(["bob"])
                return [script.judgedByPeer()]
            }
            return [.check(check)]
        }
    }
    // end

    @Test func theExamplePasses() async throws {
        let file = try DialectLibrary.find("livechat")
        let subject = try Subject(BoundDialect(file.dialect, source: file.source))
        let server = try await SimulatedServer.start(
            speaking: file.dialect, options: ServerOptions(file.dialect))
        let options = CheckOptions(seed: 1, repetitions: 0, shrinks: false)
        let results = await CheckRunner(subject, options, executor: server)
            .run(FrameExample.entries(subject))
        await server.shutdown()
        #expect(results.map(\.verdict) == [.passed])
    }
}
