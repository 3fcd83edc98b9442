package import Diagnostics
package import LineProtocol
package import Scenario

/// A message to send, with variables that are filled in when it is rendered.
package struct MessageTemplate: Sendable {
    /// Form in which the message is sent: wire text, a typed command or raw bytes.
    package enum Form: Sendable {
        case wire(Bytes, payload: Bytes?, kind: FrameWriter.PayloadKind)
        case typed(command: Int, name: String, arguments: [ArgumentTemplate])
        case raw([Segment])
    }

    /// Bytes of a raw message, or a pause in nanoseconds between them.
    package enum Segment: Sendable {
        case bytes(Bytes)
        case wait(Int64)
    }

    /// Bytes to send, with variables in them.
    package struct Bytes: Sendable {
        package var elements: [Element]

        package init(elements: [Element]) { self.elements = elements }

        /// Literal bytes, or a value to fill in.
        package enum Element: Sendable {
            case literal([UInt8])
            /// The value of a variable, escaped as a field.
            case variable(Int)
            /// The value of a variable, unchanged.
            case verbatim(Int)
            /// The value of a variable, unchanged. It must be of the given type.
            case checked(Int, Placeholder.ValueType)
            case environment(String)
            /// The login name of an operator.
            case loginName(Int)
            /// The size of the payload in bytes.
            case length
            case computed(ComputedBytes)
        }
    }

    /// Argument value that may contain variables.
    package indirect enum ValueTemplate: Sendable {
        case constant(ArgumentValue)
        /// Bytes that are converted to the type of the argument.
        case bytes(Bytes)
        case list([ValueTemplate])
    }

    /// The value of one argument of a typed command.
    package struct ArgumentTemplate: Sendable {
        /// Index of the argument in the signature.
        package var index: Int
        package var value: ValueTemplate
    }

    package var form: Form
    package var range: SourceRange
}
