package import DialectModel
package import LineProtocol
import Scenario
package import Session

/// A dialect's behaviours, made ready to be done thousands of times a second: what is sent is a template, what
/// is looked out for a flat rule.
package struct OperatorScript: Sendable {
    /// The dialect.
    package let dialect: Dialect
    /// The dialect's name.
    package var dialectName: String { dialect.name }
    /// How wide the slots are.
    package let widths: SlotWidths
    /// How an operator connects, logs in and enters its room; played by a session of its own.
    package let setup: Program
    /// Values that were given for the variables of its behaviours.
    let variables: [String: [UInt8]]
    /// What is sent for each action that the dialect has.
    let sends: [LoadAction: SendTemplate]
    /// The lines of a logout.
    let logout: SendTemplate
    /// Whether the last of a logout is that the operator closes its direction.
    let halfCloses: Bool
    let rules: MatchRules
    /// Whether a probe's answers carry its token; else they are counted.
    let probeHasToken: Bool
    /// How many lines answer a probe.
    let probeAnswers: Int
    /// Whether a keepalive is the same as a probe, so that its answers must not be taken for a probe's.
    let keepaliveIsProbe: Bool
    /// Whether a room is a place that is entered; else everybody hears everybody.
    package let hasRooms: Bool
    /// Whether who says something to a room hears it too.
    package let echoes: Bool
    /// The commands by which each action goes out and arrives: `sendMessage → didReceive`.
    package let commands: [LoadAction: String]

    /// Why an action for which the dialect has behaviours cannot be used.
    package let unsuitable: [LoadAction: OperatorScriptError]

    /// The actions that the dialect can do.
    package var actions: [LoadAction] {
        LoadAction.allCases.filter { $0 != .keepalive && sends[$0] != nil }
    }

    /// A playbook of a load in which scenarios say all.
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

    /// Prepares the behaviours of a dialect.
    ///
    /// - Parameters:
    ///   - textBytes: how long generated texts are.
    ///   - variables: values for variables of the behaviours that are no parameters, such as a password.
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
