import Diagnostics
import Foundation
import LineProtocol
import RepositoryFiles
import Scenario
import Testing

@testable import DialectFiles

@Suite struct BuiltInDialectsTests {
    @Test(arguments: DialectLibrary.builtInNames)
    func everyBuiltInDialectLoadsWithoutADiagnostic(name: String) throws {
        let source = try #require(DialectLibrary.builtInSource(name))
        let outcome = DialectReader.read(source)
        #expect(DiagnosticRenderer().text(outcome.diagnostics) == "")
        #expect(outcome.dialect?.name == name)
        for profile in outcome.profiles {
            #expect(DialectReader.read(source, profile: profile).dialect?.profile == profile)
        }
    }

    @Test func everyFileInTheFolderIsBuiltIn() throws {
        let folder = "Sources/DialectFiles/Dialects"
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: folder).path)
        #expect(DialectLibrary.builtInNames == names.sorted().map { String($0.dropLast(5)) })
        for name in names {
            let source = try #require(DialectLibrary.builtInSource(String(name.dropLast(5))))
            let text = try Repository.text("\(folder)/\(name)")
            #expect(String(decoding: source.bytes, as: UTF8.self) == text)
        }
    }

    @Test(arguments: DialectLibrary.builtInNames)
    func everyBehaviourIsScenarioText(name: String) throws {
        let file = try DialectLibrary.find(name)
        let all =
            file.dialect.behaviours.values.map(\.self)
            + file.dialect.rejects.map { pattern($0) } + file.dialect.ignores.map { pattern($0) }
        for behaviour in all {
            let outcome = ScenarioParser.parseFragment(
                Array(behaviour.scenarioText.utf8), in: file.source, line: behaviour.line,
                column: behaviour.column)
            #expect(DiagnosticRenderer().text(outcome.diagnostics) == "", "\(behaviour.name)")
            #expect(!outcome.steps.isEmpty)
        }
    }

    /// Wraps a pattern into a step that the parser can read.
    private func pattern(_ behaviour: Behaviour) -> Behaviour {
        var step = behaviour
        step.scenarioText = "<- " + behaviour.scenarioText
        step.column = max(1, behaviour.column - 3)
        return step
    }
}
