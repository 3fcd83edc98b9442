package import DialectModel
package import LineProtocol
import Scenario
package import Session

/// A dialect's behaviours, compiled for repeated execution: sends become templates, and
/// expectations become flat rules.
///
/// A class, because it is large, and every pool and worker refers to it.
package final class OperatorScript: Sendable {
    package let dialect: Dialect
    package var dialectName: String { dialect.name }
    /// Widths of the slots in sent lines.
    package let widths: SlotWidths
    /// The program that connects an operator, logs it in and enters its room.
    package let setup: Program
    /// Values of the behaviours' variables, from the command line.
    let variables: [String: [UInt8]]
    /// Send templates of the actions the dialect supports.
    let sends: [LoadAction: SendTemplate]
    let logout: SendTemplate
    /// True if the logout ends by closing the sending side.
    let halfCloses: Bool
    let rules: MatchRules
    /// True if the answer to a probe contains the probe's token. Otherwise, answers are matched to
    /// probes by counting.
    let probeHasToken: Bool
    /// Number of lines in the answer to a probe.
    let probeAnswers: Int
    /// True if keepalives and probes are the same command, so their answers must be distinguished.
    let keepaliveIsProbe: Bool
    /// True if operators enter rooms. Otherwise, all operators receive every message.
    package let hasRooms: Bool
    /// True if the sender of a room message also receives it.
    package let echoes: Bool
    /// Commands sent and received by each action, such as `sendMessage → didReceive`.
    package let commands: [LoadAction: String]

    /// Reasons why actions cannot be used, by action.
    package let unsuitable: [LoadAction: OperatorScriptError]

    /// Actions the dialect supports.
    package var actions: [LoadAction] {
        LoadAction.allCases.filter { $0 != .keepalive && sends[$0] != nil }
    }

    /// Creates a script for a load test that only runs scenarios.
    package init(bare bound: BoundDialect) throws {
        dialect = bound.dialect
        widths = SlotWidths(text: MessageText.bytesMin)
        setup = try OperatorScriptCompiler(bound, widths: widths).bareSetup()
        variables = [:]
        sends = [:]
        logout = SendTemplate()
        halfCloses = false
        rules = MatchRules()
        probeHasToken = false
        probeAnswers = 0
        keepaliveIsProbe = false
        hasRooms = true
        echoes = false
        commands = [:]
        unsuitable = [:]
    }

    /// Compiles the behaviours of a dialect.
    ///
    /// - Parameters:
    ///   - textBytes: Length of generated message bodies, in bytes. It is limited to the lengths
    ///     that ``MessageText`` supports.
    ///   - variables: Values of the behaviours' variables that are not parameters, such as a
    ///     password.
    /// - Throws: ``OperatorScriptError`` if a behaviour is missing or unsuitable, or `Diagnosed` if
    ///   the dialect's `login` does not compile.
    package init(
        _ bound: BoundDialect, textBytes: Int, variables: [String: [UInt8]] = [:]
    ) throws {
        dialect = bound.dialect
        self.variables = variables
        widths = SlotWidths(
            text: min(max(textBytes, MessageText.bytesMin), MessageText.bytesMax))
        let compiler = OperatorScriptCompiler(bound, widths: widths, variables: variables)
        hasRooms = bound["enter"] != nil
        setup = try compiler.setup()
        let made = try compiler.actions()
        sends = made.sends
        commands = made.commands
        unsuitable = made.unsuitable
        keepaliveIsProbe =
            made.sends[.keepalive] != nil && made.sends[.keepalive] == made.sends[.probe]
        rules = made.rules
        probeHasToken = made.probeHasToken
        probeAnswers = made.probeAnswers
        let ending = try compiler.logout()
        logout = ending.template
        halfCloses = ending.halfCloses
        echoes = dialect.policies["echo"] == "sender"
    }
}
