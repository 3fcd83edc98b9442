package import Diagnostics
package import LineProtocol
package import Scenario

/// A message to send, with placeholders for the values of variables.
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

    /// Bytes with variables.
    package struct Bytes: Sendable {
        package var elements: [Element]

        package init(elements: [Element]) { self.elements = elements }

        package enum Element: Sendable {
            case literal([UInt8])
            /// The variable's value, escaped as a field.
            case variable(Int)
            /// The variable's value, unchanged.
            case verbatim(Int)
            /// The variable's value, unchanged. It must have the given type.
            case checked(Int, Placeholder.ValueType)
            case environment(String)
            /// Login name of the operator.
            case loginName(Int)
            /// Length of the payload in bytes.
            case length
        }
    }

    package indirect enum ValueTemplate: Sendable {
        case constant(ArgumentValue)
        /// Bytes to convert to the argument's type.
        case bytes(Bytes)
        case list([ValueTemplate])
    }

    package struct ArgumentTemplate: Sendable {
        package var index: Int
        package var value: ValueTemplate
    }

    package var form: Form
    package var range: SourceRange
}
