public import LineProtocol
public import Scenario

/// A scenario made ready to be played with one dialect: operators and variables are numbers, patterns are
/// split as the dialect splits lines, fragments are in their places.
public struct Program: Sendable {
    /// The scenario it was made from.
    public let file: ScenarioFile
    public let dialect: Dialect
    /// The operators by name, in the order of their places.
    public let operators: [String]
    /// What happens, in order.
    let instructions: [Instruction]
    /// The variables' names; a variable is its place here.
    let variables: [String]
    /// The dialect's probe, or nil if it has none.
    let probe: Probe?
    let stepTimeout: Int64?
    let fileTimeout: Int64?
}
