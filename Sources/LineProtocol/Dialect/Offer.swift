/// The way a server shows which items of one kind it supports, such as capabilities.
public enum Offer: Sendable, Equatable {
    /// The server lists the items in an argument of a command, as `NAME` or `NAME=VALUE`, when the
    /// dialect's `survey` runs.
    case listed(command: String, argument: String)
    /// The items are single letters in the values of listed names, such as `isupport.CHANMODES`.
    case letters(of: [OfferedName])
    /// The items are commands. The server refuses those that it does not support, and repeats the
    /// command in an argument of the refusal.
    case unlessRefused(refusal: String, argument: String)
}

/// Something that a server may support, such as the capability `batch`.
public struct OfferedName: Sendable, Hashable {
    /// A kind of the dialect's offers, such as `cap`.
    public var kind: String
    /// The name, as the server spells it.
    public var name: String

    /// Creates a name.
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
    public var text: String { "\(kind).\(name)" }

    /// The variable of scenarios that contains the value that the server gave.
    public var variable: String { "offer.\(text)" }
}
