/// How a server shows that it supports things of one kind, such as capabilities.
public enum Offer: Sendable, Equatable {
    /// The server lists them in an argument of a command, as `NAME` or `NAME=VALUE`, when the dialect's
    /// `survey` runs.
    case listed(command: String, argument: String)
    /// They are single letters in the values of listed names, such as `isupport.CHANMODES`.
    case letters(of: [ListedName])
    /// They are commands. The server answers the ones that it lacks with a refusal, which repeats the
    /// command in an argument.
    case unlessRefused(refusal: String, argument: String)
}

/// A name of the kind that a server lists, written `KIND.NAME`.
public struct ListedName: Sendable, Hashable, CustomStringConvertible {
    /// A kind whose offer is ``Offer/listed(command:argument:)``.
    public var kind: String
    /// The name as the server lists it.
    public var name: String

    /// Creates a name of a kind.
    public init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Splits `KIND.NAME`; nil without a dot.
    public init?(_ text: String) {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        self.init(kind: String(text[..<dot]), name: String(text[text.index(after: dot)...]))
    }

    /// `KIND.NAME`
    public var description: String { "\(kind).\(name)" }
}
