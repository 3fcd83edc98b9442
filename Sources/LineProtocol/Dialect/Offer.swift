/// How a server shows that it supports things of one kind, such as capabilities.
public enum Offer: Sendable, Equatable {
    /// The server lists them in an argument of a command, as `NAME` or `NAME=VALUE`, when the dialect's
    /// `survey` runs.
    case listed(command: String, argument: String)
    /// They are single letters in the values of listed names, such as `isupport.CHANMODES`.
    case letters(of: [String])
    /// They are commands. The server answers the ones that it lacks with a refusal, which repeats the
    /// command in an argument.
    case unlessRefused(refusal: String, argument: String)
}
