/// A way to find out which features of one kind (such as capabilities) a server supports.
public enum Offer: Sendable, Equatable {
    /// The server lists the features, as `NAME` or `NAME=VALUE`, in an argument of a command that
    /// it sends while the dialect's `survey` runs.
    case listed(command: String, argument: String)
    /// The features are single letters in the values of listed features, such as
    /// `isupport.CHANMODES`.
    case letters(of: [OfferedName])
    /// The features are commands. The server refuses an unsupported command with the command
    /// `refusal`, whose argument `argument` repeats the refused command.
    case unlessRefused(refusal: String, argument: String)
}

/// The name of a feature that a server may support, such as the `batch` capability.
public struct OfferedName: Sendable, Hashable, CustomStringConvertible {
    /// The kind of feature, such as `cap`: one of the kinds in the dialect's `offers`.
    public var kind: String
    /// The name as the server writes it.
    public var name: String

    /// Creates a name.
    public init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Creates a name from `KIND.NAME`; nil if there is no dot.
    public init?(_ text: String) {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        self.init(kind: String(text[..<dot]), name: String(text[text.index(after: dot)...]))
    }

    /// The form `KIND.NAME`.
    public var description: String { "\(kind).\(name)" }

    /// Name of the scenario variable that holds the feature's value, as announced by the server.
    public var variable: String { "offer.\(self)" }
}
