public import Diagnostics
public import LineProtocol
public import Scenario

/// Makes programs of scenarios.
public enum ProgramCompiler {
    /// Compiles a scenario for a dialect, or throws everything that keeps it from being played.
    ///
    /// - Parameters:
    ///   - dialectSource: the dialect's file, for errors inside its behaviours.
    ///   - given: the names of variables that have values from outside.
    public static func compile(
        _ file: ScenarioFile, with dialect: Dialect, dialectSource: SourceText,
        given: Set<String> = []
    ) throws(Diagnosed) -> Program {
        Program(
            file: file, dialect: dialect, operators: [], instructions: [], variables: [],
            probe: nil, stepTimeout: nil, fileTimeout: nil)
    }
}
struct Instruction: Sendable {}
struct Probe: Sendable {}
