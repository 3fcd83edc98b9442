package import Diagnostics
package import LineProtocol
package import Scenario

/// A message to send, with placeholders for variables.
package struct MessageTemplate: Sendable {
    package enum Form: Sendable {
        case wire(Bytes, payload: Bytes?, kind: FrameWriter.PayloadKind)
        case typed(command: Int, name: String, arguments: [ArgumentTemplate])
        case raw([Segment])
    }

    package enum Segment: Sendable {
        case bytes(Bytes)
        case wait(Int64)
    }

    /// Bytes with variables in them.
    package struct Bytes: Sendable {
        package var elements: [Element]

        package init(elements: [Element]) { self.elements = elements }

        package enum Element: Sendable {
            case literal([UInt8])
            /// The variable's value, spelled as the dialect spells a field.
            case variable(Int)
            /// The variable's value as it is.
            case verbatim(Int)
            /// The same, where it must be of a type.
            case checked(Int, Placeholder.ValueType)
            case environment(String)
            /// The name under which the operator logged in.
            case loginName(Int)
            /// The payload's byte count.
            case length
        }
    }

    package indirect enum ValueTemplate: Sendable {
        case constant(ArgumentValue)
        /// Bytes that are converted to the argument's type.
        case bytes(Bytes)
        case list([ValueTemplate])
    }

    package struct ArgumentTemplate: Sendable {
        package var place: Int
        package var value: ValueTemplate
    }

    package var form: Form
    package var range: SourceRange
}
