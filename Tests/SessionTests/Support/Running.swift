import DialectModel
import Diagnostics
import DialectFiles
import LineProtocol
import Scenario
import Session

/// Compiles a scenario for the built-in dialect that it names.
func compiled(_ text: String, dialect: String = "irc") throws -> Program {
    let source = SourceText(path: "test.chat", text: text)
    let file = try ScenarioParser.file(from: source)
    let found = try DialectLibrary.find(file.header.dialect?.text ?? dialect, beside: nil)
    return try ProgramCompiler.compile(file, with: BoundDialect.of(found))
}

/// Runs a scenario against a toy IRC server on the simulated network.
func run(
    _ text: String, _ fault: ToyIRCServer.Fault = .none, seed: UInt64 = 1,
    options: ExecutionOptions = ExecutionOptions(), dripFeeds: Bool = false
) throws -> ScenarioOutcome? {
    var session = ScenarioSession(try compiled(text), options: options)
    var network = SimulatedNetwork(ToyIRCServer(fault: fault), seed: seed)
    network.dripFeeds = dripFeeds
    return network.run(&session)
}

/// Returns the code, message and label of a failure.
func failure(_ result: ScenarioOutcome?) -> String {
    guard let diagnostic = result?.diagnostic else { return "no diagnostic" }
    return "\(diagnostic.code): \(diagnostic.message) | \(diagnostic.location?.label ?? "")"
}

/// Returns a built-in dialect.
func compiledDialect(_ name: String) throws -> DialectFile {
    try DialectLibrary.find(name, beside: nil)
}
