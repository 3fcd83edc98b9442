import DialectModel
import DialectFiles
import Results
import Session
import Testing

/// Names of operators and rooms that concurrent runs must not share.
@Suite struct RenamingTests {
    /// Runs a renamed scenario, and expects the server to receive lines with the new name of bob.
    private func expectNewName(
        _ text: String, dialect: String, in line: (String) -> String
    ) throws {
        let program = try compiled("dialect \(dialect)\noperators bob\n\(text)", dialect: dialect)
        let bound = BoundDialect.of(try DialectLibrary.find(dialect))
        let renamed = RenamedProgram(program, dialect: bound)
        let values = renamed.values(7)
        let name = String(decoding: try #require(values["(bob)"]), as: UTF8.self)
        #expect(name != "bob")
        var options = ExecutionOptions()
        options.variables = values
        var session = ScenarioSession(renamed.program, options: options)
        let expected = line(name)
        var network = SimulatedNetwork(
            ScriptedServer { line, client in
                line.hasSuffix(expected) ? [.send(client, "DONE\r\n")] : []
            })
        let result = network.run(&session)
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    @Test func namesInWireTextAreReplaced() throws {
        try expectNewName("bob -> KICK #tea bob\nbob <- DONE", dialect: "irc") { $0 }
    }

    @Test func namesInListsAreReplaced() throws {
        try expectNewName(
            "bob -> kick(channel: \"#tea\", users: [\"x\", \"bob\"])\nbob <- DONE", dialect: "irc"
        ) { "x," + $0 }
    }

    @Test func namesInPayloadsAreReplaced() throws {
        try expectNewName(
            "bob -> set(key: \"k\", flags: 0, expires: 0, value: \"from bob\")\nbob <- DONE",
            dialect: "memcached"
        ) { "from " + $0 }
    }
}
