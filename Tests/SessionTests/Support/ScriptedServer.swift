import Session

/// A server that answers each line with the result of a closure.
struct ScriptedServer: SimulatedServer {
    var greeting: @Sendable (ConnectionID) -> [ServerEffect] = { _ in [] }
    var answer: @Sendable (String, ConnectionID) -> [ServerEffect]

    mutating func connected(_ client: ConnectionID) -> [ServerEffect] { greeting(client) }

    mutating func received(_ line: String, from client: ConnectionID) -> [ServerEffect] {
        answer(line, client)
    }
}

/// Runs a scenario against a server that answers each line with text, or not at all.
func run(
    _ text: String, options: ExecutionOptions = ExecutionOptions(),
    answering answer: @escaping @Sendable (String) -> String
) throws -> ScenarioOutcome? {
    try run(text, options: options) { line, client in [.send(client, answer(line))] }
}

/// Runs a scenario against a server that answers each line with effects.
func run(
    _ text: String, options: ExecutionOptions = ExecutionOptions(),
    greeting: @escaping @Sendable (ConnectionID) -> [ServerEffect] = { _ in [] },
    effects answer: @escaping @Sendable (String, ConnectionID) -> [ServerEffect]
) throws -> ScenarioOutcome? {
    var session = ScenarioSession(try compiled(text), options: options)
    var network = SimulatedNetwork(ScriptedServer(greeting: greeting, answer: answer))
    return network.run(&session)
}
