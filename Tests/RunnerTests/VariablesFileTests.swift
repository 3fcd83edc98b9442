import Diagnostics
import Results
import Testing

@testable import Runner

/// Files given with `--vars`.
struct VariablesFileTests {
    private func values(_ text: String, in name: String = "test.env") throws -> [String: String] {
        try VariablesFile(SourceText(path: name, text: text)).values
            .mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("room=a=b", "a=b"), ("room=", ""), ("room=\"\"", ""),
        ("  export room = x y  # comment", "x y"), ("room=a#b", "a#b"), ("room=#test", "#test"),
        ("room= # c", ""),
        ("room='a \"b\" \\n $x'", "a \"b\" \\n $x"),
        ("room=\"a\\n\\\"b\\\" \\$x\" # comment", "a\n\"b\" $x"),
        ("room=\"\\w\"", "\\w"), ("\u{FEFF}room=x", "x"), ("# c\r\n\r\nroom=x\r\n", "x"),
        ("export=1\nroom=äöü 日本", "äöü 日本"), ("room=it's", "it's"),
    ])
    func lineSetsAVariable(_ text: String, _ value: String) throws {
        #expect(try values(text)["room"] == value)
    }

    @Test(arguments: ["vars.yaml", "vars.yml", "vars.json"])
    func mapSetsVariables(_ name: String) throws {
        let text =
            "{\"room\": \"#test\", \"count\": 3, \"flag\": true, \"half\": 0.50, \"none\": \"\"}"
        let expected = ["room": "#test", "count": "3", "flag": "true", "half": "0.50", "none": ""]
        #expect(try values(text, in: name) == expected)
    }

    @Test func blockMapSetsVariables() throws {
        let text = "# comment\nroom: '#test'\ntext: |\n  two\n  lines\n"
        #expect(try values(text, in: "a.yaml") == ["room": "#test", "text": "two\nlines\n"])
        #expect(try values("", in: "a.yaml").isEmpty)
    }

    static let mistakes: [(String, String, String)] = [
        ("a.env", "room", "1:1 expected `=` after the name"),
        ("a.env", "\nroom hunter2", "2:1 expected `=` after the name"),
        ("a.env", "=x", "1:1 invalid variable name"),
        ("a.env", "1a=x", "1:1 invalid variable name"),
        ("a.env", "a.b=x", "1:1 invalid variable name"),
        ("a.env", "a='x", "1:3 expected a closing quote"),
        ("a.env", "a=\"x\\\"", "1:3 expected a closing quote"),
        ("a.env", "a='x' y", "1:7 unexpected text after the closing quote"),
        ("a.env", "a='x'#y", "1:6 unexpected text after the closing quote"),
        ("a.env", "a=1\nb=2\na=3", "3:1 `a` is set twice"),
        ("a.yaml", "a: 1\na: 2\n", "2:1 `a` occurs twice in the same map"),
        (
            "a.yaml", "a: {b: 1}\n",
            "1:4 expected a string or a number as the value of `a`, found a map"
        ),
        (
            "a.yaml", "a:\n  - 1\n",
            "2:3 expected a string or a number as the value of `a`, found a list"
        ),
        ("a.yaml", "a:\n", "1:1 `a` has no value"),
        ("a.json", "{\"a\": null}", "1:7 `a` has no value"),
        ("a.yaml", "a b: 1\n", "1:1 invalid variable name"),
        ("a.yaml", "- a\n", "1:1 expected a map of variables"),
        ("a.yaml", "a: 'x\n", "1:4 invalid YAML: found unexpected end of stream"),
        ("a.json", "{\"a\": 1", "1:8 expected `,` or `}`, found the end"),
    ]

    @Test(arguments: mistakes)
    func mistakeHasAPositionAndAFix(_ name: String, _ text: String, _ expected: String) throws {
        let error = try #require(throws: Diagnosed.self) { try values(text, in: name) }
        let first = try #require(error.diagnostics.first)
        let position = try #require(first.location?.position)
        #expect("\(position.line):\(position.column) \(first.message)" == expected)
        #expect(first.notes.contains { $0.kind == .help })
    }

    @Test func everyLineIsRead() throws {
        let error = try #require(throws: Diagnosed.self) { try values("a\nb=1\nc\n") }
        #expect(error.diagnostics.map { $0.location?.position.line } == [1, 3])
    }

    @Test(arguments: ["vars.txt", "vars", "<stdin>"])
    func otherFilesAreRefused(_ name: String) throws {
        let error = try #require(throws: Diagnosed.self) { try values("a=1", in: name) }
        #expect(error.description.contains("FILE.env"))
    }

    @Test(arguments: [".env", "x/test.env", ".env.local"])
    func environmentFilesAreRecognised(_ name: String) throws {
        #expect(try values("a=1", in: name) == ["a": "1"])
    }

    @Test func laterSourcesTakePrecedence() async throws {
        try await withFolder([
            "a.env": "one=file\ntwo=file\nthree=file\nLINEJUDGE_SECRET_pass=hunter2\n",
            "b.yaml": "two: later\nthree: later\n",
        ]) { folder in
            let given = GivenVariables(
                options: ["three=option"], files: [folder("a.env"), folder("b.yaml")])
            let variables = try RunVariables(
                environment: ["LINEJUDGE_VAR_one": "e", "LINEJUDGE_VAR_zero": "e"], given: given)
            let expected = [
                "zero": "e", "one": "file", "two": "later", "three": "option", "pass": "hunter2",
            ]
            #expect(variables.values == expected.mapValues { Array($0.utf8) })
            #expect(variables.secrets == ["pass"])
        }
    }

    /// Values may be secret, and logs may be public.
    @Test(arguments: [
        ("a.env", "password hunter2\n"), ("a.env", "export password hunter2\n"),
        ("a.env", "password='hunter2\n"), ("a.env", "pass.word=hunter2\n"),
        ("a.env", "a=hunter2\na=hunter2\n"), ("a.yaml", "a: [hunter2]\n"),
        ("a.yaml", "  a: hunter2\n  a: hunter2\n"),
        ("a.json", "{\n  \"a\": {\"b\": \"hunter2\"}\n}"),
    ])
    func mistakeDoesNotShowValues(_ name: String, _ text: String) async throws {
        try await withFolder([name: text]) { folder in
            let failure = try #require(throws: CommandFailure.self) {
                try VariablesFile(folder(name))
            }
            #expect(failure.code == .unparsable)
            let shown = Diagnosed(failure.diagnostics).description
            #expect(!shown.contains("hunter2"), "\(shown)")
        }
    }

    @Test func sizeIsLimited() async throws {
        let line = "a=" + String(repeating: "x", count: VariablesFile.bytesMax - 2)
        try await withFolder(["max.env": line, "over.env": line + "x"]) { folder in
            #expect(try VariablesFile(folder("max.env")).values.count == 1)
            #expect(throws: CommandFailure.self) { try VariablesFile(folder("over.env")) }
            let missing = try #require(throws: CommandFailure.self) {
                try VariablesFile(folder("gone.env"))
            }
            #expect(missing.code == .noInput)
        }
    }
}
