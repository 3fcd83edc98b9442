import Diagnostics
import Scenario
import Testing

@testable import Runner

/// Files of rows for which a scenario runs.
struct DataTableTests {
    private func rows(_ text: String, in name: String = "a.csv") throws -> [[String: String]] {
        try DataTable(SourceText(path: name, text: text)).rows
            .map { $0.values.mapValues { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(arguments: [
        ("nick,text\nalice,hello\n", ["nick": "alice", "text": "hello"]),
        ("nick,text\r\nalice,hello\r\n", ["nick": "alice", "text": "hello"]),
        ("\u{FEFF}nick\n\nalice", ["nick": "alice"]),
        (
            "nick,text\n\"al,ice\",\"a \"\"b\"\"\r\nc\"\n",
            ["nick": "al,ice", "text": "a \"b\"\r\nc"]
        ),
        ("nick,text\n,\n", ["nick": "", "text": ""]), ("nick\n\"\"\n", ["nick": ""]),
        ("nick,text\n alice , b\n", ["nick": " alice ", "text": " b"]),
        ("nick\na\rb\n", ["nick": "a\rb"]), ("nick\n日本 😀\n", ["nick": "日本 😀"]),
    ])
    func commaSeparatedValuesAreRead(_ text: String, _ row: [String: String]) throws {
        #expect(try rows(text) == [row])
    }

    @Test(arguments: ["a.jsonl", "a.ndjson"])
    func objectsAreRead(_ name: String) throws {
        let text = """
            {"nick": "al\\"ice", "count": -1.5e3, "on": true}\r

             { "on" : false , "count":0,"nick":"\\u00e4\\ud83d\\ude00\\/\\n" }
            """
        let expected = [
            ["nick": "al\"ice", "count": "-1.5e3", "on": "true"],
            ["nick": "ä😀/\n", "count": "0", "on": "false"],
        ]
        #expect(try rows(text, in: name) == expected)
    }

    @Test func rowsKnowTheirLines() throws {
        let table = try DataTable(SourceText(path: "a.csv", text: "a\n\"1\n2\"\n\n3\n"))
        #expect(table.rows.map(\.location) == ["a.csv:2", "a.csv:5"])
        #expect(table.rows.map(\.number) == [1, 2])
    }

    static let mistakes: [(String, String, String)] = [
        ("a.csv", "", "1:1 the file has no rows"), ("a.csv", "a,b\n", "1:1 the file has no rows"),
        ("a.csv", "a;b\n1;2\n", "1:1 `a;b` cannot be a variable name"),
        ("a.csv", "a, b\n1,2\n", "1:3 ` b` cannot be a variable name"),
        ("a.csv", "nonce\n1\n", "1:1 `nonce` cannot be a variable name"),
        ("a.csv", "a,a\n1,2\n", "1:3 two columns are named `a`"),
        ("a.csv", "a,b\n1\n", "2:1 expected 2 fields, found 1"),
        ("a.csv", "a,b\n1,2,3\n", "2:5 expected 2 fields, found 3"),
        ("a.csv", "a\n\"1\n2\n", "2:1 expected a closing quote"),
        ("a.csv", "a\n1\"2\n", "2:2 an unquoted field must not contain a quote"),
        ("a.csv", "a\n\"1\"2\n", "2:4 expected `,` or the end of the line"),
        ("a.jsonl", "\n", "1:1 the file has no rows"),
        ("a.jsonl", "{\"a\": 1}\n[1]\n", "2:1 expected an object `{…}`, found `[`"),
        (
            "a.jsonl", "{\"a\": {}}\n",
            "1:7 expected a string, a number, true or false as the value of `a`"
        ),
        ("a.jsonl", "{\"a\": null}\n", "1:7 `a` has no value"),
        ("a.jsonl", "{\"a\": 01}\n", "1:7 expected a string, a number"),
        ("a.jsonl", "{\"a\": 1,}\n", "1:9 expected a name in quotes, found `}`"),
        ("a.jsonl", "{\"a\": 1 \"b\": 2}\n", "1:9 expected `,` or `}`, found `\"`"),
        ("a.jsonl", "{\"a\": 1} x\n", "1:10 expected nothing after the object, found `x`"),
        ("a.jsonl", "{\"a\": \"x\n", "1:7 expected a closing quote"),
        ("a.jsonl", "{\"a\": \"\\x\"}\n", "1:8 invalid escape"),
        ("a.jsonl", "{\"a\": \"\\ud83d\"}\n", "1:8 invalid escape"),
        ("a.jsonl", "{\"a\": 1, \"a\": 2}\n", "1:10 `a` occurs twice"),
        ("a.jsonl", "{\"a\": 1}\n{\"b\": 2}\n", "2:2 the first row has no `b`"),
        ("a.jsonl", "{\"a\": 1, \"b\": 2}\n{\"b\": 2}\n", "2:1 the row has no `a`"),
    ]

    @Test(arguments: mistakes)
    func mistakeHasAPositionAndAFix(_ name: String, _ text: String, _ expected: String) throws {
        let error = try #require(throws: Diagnosed.self) { try rows(text, in: name) }
        let first = try #require(error.diagnostics.first)
        let position = try #require(first.location?.position)
        #expect("\(position.line):\(position.column) \(first.message)".hasPrefix(expected))
        #expect(first.notes.contains { $0.kind == .help })
    }

    @Test func everyWrongCountIsReported() throws {
        let error = try #require(throws: Diagnosed.self) { try rows("a,b\n1\n2,2\n3,3,3\n") }
        #expect(error.diagnostics.map { $0.location?.position.line } == [2, 4])
    }

    @Test func otherFilesAndBytesAreRefused() throws {
        #expect(throws: Diagnosed.self) { try rows("a\n1\n", in: "a.tsv") }
        let bytes = Array("a\n".utf8) + [0xFF, 0x0A]
        let error = try #require(throws: Diagnosed.self) {
            try DataTable(SourceText(path: "a.csv", bytes: bytes))
        }
        #expect(error.diagnostics.first?.location?.range.start == 2)
    }

    @Test func numbersOfRowsAndColumnsAreLimited() throws {
        let lines = String(repeating: "1\n", count: DataTable.rowsMax)
        #expect(try rows("a\n" + lines).count == DataTable.rowsMax)
        #expect(throws: Diagnosed.self) { try rows("a\n" + lines + "1\n") }
        let names = (1...DataTable.columnsMax).map { "a\($0)" }.joined(separator: ",")
        let values = names.replacing("a", with: "")
        #expect(try rows("\(names)\n\(values)\n").count == 1)
        #expect(throws: Diagnosed.self) { try rows("\(names),b\n\(values),1\n") }
    }

    // MARK: Scenarios

    @Test func titleHasTheFirstValueThatIsNotSecret() async throws {
        let scenario =
            "title T\ndialect plain\nsecret pw\ndata \"a.csv\"\na -> {{pw}} {{nick}}\na <- x\n"
        let long = String(repeating: "x", count: 50)
        try await withFolder([
            "a.chat": scenario, "a.csv": "pw,nick\nhunter2,alice\nhunter2,\nhunter2,\(long)\n",
        ]) { folder in
            let loaded = ScenarioLoader().load(FoundScenario(path: folder("a.chat")))
            #expect(loaded.diagnostics == [])
            let plan = RunPlan([loaded], RunOptions(toolVersion: "1", startedAt: 0))
            let titles = plan.entries.map(\.scenario.title)
            #expect(
                titles == [
                    "T [row 1: alice]", "T [row 2]",
                    "T [row 3: \(String(repeating: "x", count: 40))…]",
                ])
        }
    }

    @Test(arguments: [
        ("data \"gone.csv\"\n", "a.chat:2:6", "cannot read"),
        ("data \"a.txt\"\n", "a.chat:2:6", "is not a data file"),
        ("data \"bad.csv\"\n", "bad.csv:2:1", "expected 2 fields"),
    ])
    func mistakeInTheFileIsAnErrorOfTheScenario(
        _ line: String, _ location: String, _ message: String
    ) async throws {
        let text = "dialect plain\n\(line)a -> {{nick}}\na <- x\n"
        try await withFolder(["a.chat": text, "a.txt": "", "bad.csv": "nick,b\n1\n"]) { folder in
            let loaded = ScenarioLoader().load(FoundScenario(path: folder("a.chat")))
            #expect(loaded.program == nil)
            let shown = Diagnosed(loaded.diagnostics).description
            #expect(shown.contains(location), "\(shown)")
            #expect(shown.contains(message), "\(shown)")
        }
    }

    @Test(arguments: ["secret pw\n", ""])
    func errorHidesValuesOfScenariosWithSecrets(_ line: String) async throws {
        let text = "dialect plain\n\(line)data \"a.csv\"\na -> {{pw}}\na <- x\n"
        try await withFolder(["a.chat": text, "a.csv": "pw,nick\nhunter2\n"]) { folder in
            let loaded = ScenarioLoader().load(FoundScenario(path: folder("a.chat")))
            let shown = Diagnosed(loaded.diagnostics).description
            #expect(shown.contains("hunter2") == line.isEmpty, "\(shown)")
            #expect(shown.contains("a.csv:2:1"))
        }
    }

    @Test func columnsAreKnownToTheLinter() async throws {
        let text = "dialect plain\ndata \"a.csv\"\na -> {{nick}} {{nik}}\na <- x\n"
        try await withFolder(["a.chat": text, "a.csv": "nick\nalice\n"]) { folder in
            let found = try ScenarioLint.findings(in: folder("a.chat"), dialect: nil)
            #expect(found.map(\.code) == ["scenario.unbound-variable"])
            #expect(found.first?.notes.first?.text == "did you mean `nick`?")
        }
    }
}
