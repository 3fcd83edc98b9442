import DialectFiles
import DialectModel
import Diagnostics
import Results
import Scenario
import Session
import Testing

/// Scenarios for dialects whose lines are JSON objects. The server answers `{"type":"ping"}` with
/// the line to test.
@Suite struct JSONTests {
    private func outcome(
        _ expectation: String, _ line: String, dialect: String = "jsonl", before: String = ""
    ) throws -> ScenarioOutcome? {
        let text = """
            dialect \(dialect)
            operators a
            \(before)
            a -> {"type":"ping","token":"t"}
            a <- \(expectation)
            """
        return try run(text) { sent in sent.contains("ping") ? line + "\n" : "" }
    }

    @Test(arguments: [
        (#"{"type":"pong","token":"t"}"#, #"{"token": "t", "type": "pong"}"#),
        (#"{"type":"pong","token":"é"}"#, #"{"type":"p\u006fng","token":"\u00e9"}"#),
        (#"{"type":"pong","token":"a\"\\\n"}"#, #"{"type":"pong","token":"a\u0022\\\u000a"}"#),
        (#"{"type":"pong"}"#, #"{"type":"pong","token":"t","more":[1,2]}"#),
        (#"{"type":"pong","n":100}"#, #"{"type":"pong","n":1.0e2}"#),
        (#"{"type":"pong","n":null,"b":true}"#, #"{"type":"pong","b":true,"n":null}"#),
        (#"{"type":"pong","a":[1,{"b":2}]}"#, #"{"type":"pong","a":[ 1.0 ,{"c":3,"b":2}]}"#),
        (#"{"type":"pong","a":[1,{{...}}]}"#, #"{"type":"pong","a":[1,2,3]}"#),
        (#"{"type":"pong","a":{{_}}}"#, #"{"type":"pong","a":{"b":[]}}"#),
        (#"{"type":"pong","a":"x{{_}}z","n":{{n:int}}}"#, #"{"type":"pong","a":"xyz","n":7}"#),
        (#"{{...}}"#, "not JSON"), (#""not JSON""#, "not JSON"),
        ("pong(token: \"t\")", #"{ "token" : "t" , "type" : "pong" }"#),
        (
            #"{"type":"pong","token":{{t}},"again":"{{t}}"}"#,
            #"{"type":"pong","token":"t","again":"t"}"#
        ),
    ])
    func equalStructuresMatch(expectation: String, line: String) throws {
        let result = try outcome(expectation, line)
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    @Test(arguments: [
        (
            #"{"type":"pong","token":"t"}"#, #"{"type":"error","reason":"no"}"#,
            "expected pong, got error"
        ),
        (
            #"{"type":"pong","token":"t"}"#, #"{"type":"pong","token":"u"}"#,
            #"expected "t" for key `token` of pong, got "u""#
        ),
        (
            #"{"type":"pong","a":{"b":1}}"#, #"{"type":"pong","a":{}}"#,
            "expected key `a.b`, got none"
        ),
        (#"{"type":"pong","a":1}"#, #"{"type":"pong","a":"1"}"#, "for key `a`"),
        (#"{"type":"pong","a":"1"}"#, #"{"type":"pong","a":1}"#, "a string"),
        (#"{"type":"pong","a":[1,2]}"#, #"{"type":"pong","a":[1]}"#, "2 elements"),
        (#"{"type":"pong","a":[1,{{...}}]}"#, #"{"type":"pong","a":[]}"#, "at least 1 element for"),
        (#"{"type":"pong","a":{}}"#, #"{"type":"pong","a":[]}"#, "an object"),
        (#"{"type":"pong"}"#, #"{"type":"pong""#, #"got "{"type":"pong""#),
    ])
    func differencesAreNamed(expectation: String, line: String, words: String) throws {
        let result = try outcome(expectation, line)
        #expect(result?.outcome == .failed)
        #expect(failure(result).contains(words), "\(failure(result))")
    }

    @Test(arguments: [
        (#"{"type":"pong","a":}"#, "expected a JSON value"),
        (#"{"type":"pong" "a":1}"#, "expected `,` or `}`"),
        (#"{"ty{{x}}":"pong"}"#, "a key cannot contain a placeholder"),
        (#"{"type":"pong"} x"#, "unexpected text after the JSON value"),
        ("pong t", "expected a JSON value"),
    ])
    func expectationsMustBeJSON(expectation: String, words: String) throws {
        do {
            _ = try outcome(expectation, "")
            Issue.record("\(expectation) compiles")
        } catch let error as Diagnosed {
            #expect(error.diagnostics.first?.code == "scenario.not-json")
            #expect(error.diagnostics.first?.message.contains(words) == true, "\(error)")
        }
    }

    @Test func valuesInStringsAreEscapedWhenSent() throws {
        let text = #"""
            dialect jsonl
            operators a
            set text = "a\"b\\c\n"
            set count = 7
            a -> {"type":"say","text":"<{{text}}>","n":{{count}},"o":{{object}}}
            a <- {"type":"said"}
            """#.replacing(",\"o\":{{object}}", with: "")
        let result = try run(text) { sent in
            sent == #"{"type":"say","text":"<a\"b\\c\n>","n":7}"#
                ? "{\"type\":\"said\"}\n" : "{\"type\":\"error\"}\n"
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    @Test func capturedValuesAreDecoded() throws {
        let text = #"""
            dialect jsonl
            operators a
            a -> {"type":"ping","token":"t"}
            a <- {"type":"pong","token":"{{t}}","list":{{list}}}
            a -> {"type":"say","room":"r","text":"{{t}}","list":{{list}}}
            a <- error()
            """#
        let result = try run(text) { sent in
            if sent.contains("ping") {
                return #"{"type":"pong","token":"\u0022x\u0022","list":[1, "a"]}"# + "\n"
            }
            return sent == #"{"type":"say","room":"r","text":"\"x\"","list":[1, "a"]}"#
                ? "{\"type\":\"error\",\"reason\":\"\"}\n" : ""
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    @Test func unknownKeysAreErrorsIfTheDialectRefusesThem() throws {
        let strict = """
            name: strict
            fields: {json: type}
            tolerance: {too-many: reject}
            commands:
              ping: {from: client, arguments: [token: text]}
              pong: {from: server, arguments: [token: text]}
            """
        let dialect = try DialectReader.dialect(from: SourceText(path: "strict.yaml", text: strict))
        func result(_ expectation: String, _ line: String) throws -> ScenarioOutcome? {
            let source = SourceText(
                path: "test.chat",
                text: "operators a\na -> ping(token: \"t\")\na <- \(expectation)\n")
            let program = try ProgramCompiler.compile(
                try ScenarioParser.file(from: source), with: BoundDialect(dialect))
            var session = ScenarioSession(program, options: ExecutionOptions())
            var network = SimulatedNetwork(
                ScriptedServer { _, client in [.send(client, line + "\n")] })
            return network.run(&session)
        }
        let line = #"{"type":"pong","token":"t","more":1}"#
        let refused = try result(#"{"type":"pong","token":"t"}"#, line)
        #expect(refused?.outcome == .failed)
        #expect(failure(refused).contains("key `more`"), "\(failure(refused))")
        #expect(try result(#"{"type":"pong","token":"t",{{...}}}"#, line)?.outcome == .passed)
        #expect(try result(#"{"token":"t","type":"pong","more":1}"#, line)?.outcome == .passed)
    }

    @Test func jsonArgumentsAreComparedByStructure() throws {
        let text = """
            dialect nats
            operators a
            a -> PING
            a <- info(options: "{\\"b\\":[1],\\"a\\":2}")
            """
        let result = try run(text) { _ in "INFO {\"a\": 2.0, \"b\": [ 1 ]}\r\n" }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }
}
