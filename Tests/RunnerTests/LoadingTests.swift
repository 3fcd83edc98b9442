import Diagnostics
import Results
import Scenario
import Testing

@testable import Runner

struct LoadingTests {
    private func load(_ text: String, _ loader: ScenarioLoader = ScenarioLoader()) -> LoadedScenario
    {
        loader.load(SourceText(path: "folder/test.chat", text: text))
    }

    @Test func validScenarioHasAProgram() {
        let loaded = load("title T\ndialect plain\ntags a, b\na -> x\na <- y\n")
        #expect(loaded.program != nil)
        #expect(loaded.title == "T")
        #expect(loaded.tags == ["a", "b"])
        #expect(loaded.dialect == "plain")
        #expect(!loaded.diagnostics.hasErrors)
    }

    @Test func titleDefaultsToTheFileName() {
        #expect(load("dialect plain\na -> x\n").title == "test")
    }

    @Test(arguments: [
        ("dialect plain\nnonsense\n", 2), ("a -> x\n", 1), ("dialect plian\na -> x\n", 1),
    ])
    func errorsHaveALine(text: String, line: Int) throws {
        let loaded = load(text)
        #expect(loaded.program == nil)
        let error = try #require(loaded.diagnostics.first { $0.severity == .error })
        #expect(error.location?.position.line == line)
    }

    @Test(arguments: [
        "dialect livechat\noperators a, b\nuse logni\n",
        "dialect livechat\noperators a, b\nuse nothing-like-it\n",
        "dialect livechat\noperators a, b\nuse relay(too: \"b\", text: \"x\")\n",
        "dialect livechat\noperators a, b\n\nfragment greet(word) {\n  -> {{word}}\n}\n\n"
            + "use greet(wrod: \"x\")\n",
    ])
    func oneMistakeIsReportedOnce(_ text: String) {
        let loaded = load(text)
        #expect(loaded.program == nil)
        let errors = loaded.diagnostics.filter { $0.severity == .error }
        #expect(errors.count == 1, "\(errors)")
    }

    @Test(arguments: [
        "dialect plain\n", "dialect plain\noperators a\n", "dialect plain\nignore x\n",
        "dialect plain\nwait 1s\n", "dialect plain\nrepeat 3 {\n  wait 1s\n}\n",
    ])
    func scenarioThatTestsNothingIsRejected(_ text: String) {
        let loaded = load(text)
        #expect(loaded.program == nil)
        let errors = loaded.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.code) == ["scenario.no-steps"], "\(errors)")
        #expect(errors.first?.notes.contains { $0.kind == .help } == true)
    }

    @Test func dialectDefaultsToTheCommandLine() {
        var loader = ScenarioLoader(dialectDefault: "irc")
        #expect(load("a -> x\n", loader).dialect == "irc")
        #expect(load("dialect plain\na -> x\n", loader).dialect == "plain")
        loader.dialectOverride = "nats"
        #expect(load("dialect plain\na -> x\n", loader).dialect == "nats")
    }

    @Test func unreadableFilesAreReported() async throws {
        try await withFolder { folder in
            let missing = ScenarioLoader().load(FoundScenario(path: folder("gone.chat")))
            #expect(missing.file == nil)
            #expect(
                missing.diagnostics.first?.message.hasSuffix("No such file or directory") == true)
            let isFolder = ScenarioLoader().load(FoundScenario(path: folder.path))
            #expect(isFolder.diagnostics.first?.code == .unreadable)
        }
    }

    @Test func filesOverTheLimitAreRejected() async throws {
        let line = String(repeating: "#", count: 1023) + "\n"
        let text = String(repeating: line, count: 1024)
        try await withFolder(["max.chat": "\(text)", "over.chat": text + "#"]) { folder in
            let max = ScenarioLoader().load(FoundScenario(path: folder("max.chat")))
            #expect(!max.diagnostics.contains { $0.message.contains("MiB") })
            let over = ScenarioLoader().load(FoundScenario(path: folder("over.chat")))
            #expect(over.diagnostics.hasErrors)
            #expect(over.file == nil)
        }
    }

    @Test func commandLineVariablesOverrideTheEnvironment() throws {
        let environment = [
            "LINEJUDGE_VAR_room": "#a", "LINEJUDGE_VAR_nick": "joe", "LINEJUDGE_SECRET_pass": "xyz",
            "LINEJUDGE_VAR_pass": "not this", "HOME": "/",
        ]
        let variables = try RunVariables(
            environment: environment, given: GivenVariables(options: ["room=#b=c"]))
        let expected = ["room": "#b=c", "nick": "joe", "pass": "xyz"]
        #expect(variables.values == expected.mapValues { Array($0.utf8) })
        #expect(variables.secrets == ["pass"])
    }

    @Test(arguments: ["room", "=x", "1a=x", "a b=x"])
    func invalidVariablesAreReported(option: String) {
        #expect(throws: CommandFailure.self) {
            try RunVariables(environment: [:], given: GivenVariables(options: [option]))
        }
    }

    @Test func softwareHasANameAndAnOptionalVersion() throws {
        #expect(try Software(parsing: "ngircd@26.1") == Software(name: "ngircd", version: "26.1"))
        #expect(try Software(parsing: "ngircd").version == nil)
        #expect(throws: Diagnosed.self) { try Software(parsing: "@1") }
        #expect(throws: Diagnosed.self) { try Software(parsing: "x@") }
        #expect(throws: Diagnosed.self) { try Software(parsing: "inspircd:3.15.0") }
        #expect(throws: Diagnosed.self) { try Software(parsing: "inspircd 3.15.0") }
    }
}
