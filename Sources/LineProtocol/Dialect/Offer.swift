/// The way a server shows which items of one kind it supports, such as capabilities.
public enum Offer: Sendable, Equatable {
    /// The server lists the items in an argument of a command, as `NAME` or `NAME=VALUE`, when the
    /// dialect's `survey` runs.
    case listed(command: String, argument: String)
    /// The items are single letters in the values of listed names, such as `isupport.CHANMODES`.
    case letters(of: [String])
    /// The items are commands. The server refuses those that it does not support, and repeats the
    /// command in an argument of the refusal.
    case unlessRefused(refusal: String, argument: String)
}
