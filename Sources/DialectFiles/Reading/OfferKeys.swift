import LineProtocol

/// Keys allowed in an entry of a dialect's `offers:` section. An entry is a map in one of three
/// forms.
enum OfferKeys {
    static let command = ValueKey(
        "command", "Server command that lists the names while `survey` runs",
        .name("a valid command name"), missing: "name the command that lists the names")
    static let names = ValueKey(
        "argument", "Argument that holds the names", .name("a valid argument name"),
        missing: "name the argument to read")
    static let refusal = ValueKey(
        "refusal", "Server command that refuses unsupported commands",
        .name("a valid command name"),
        missing: "name the server command that refuses unsupported commands")
    static let refused = ValueKey(
        "argument", "Argument that holds the refused command", .name("a valid argument name"),
        missing: "name the argument to read")
    static let letters = Key(
        "letters-of", "Listed names whose values contain the letters, such as `isupport.PREFIX`",
        .list(of: .text(bytesMax: OfferReader.nameBytesMax), max: OfferReader.offersMax),
        missing: "list the names whose values contain the letters")

    static let listed = KeyTable("listed offer", [command, names])
    static let unlessRefused = KeyTable("offer unless refused", [refusal, refused])
    static let inLetters = KeyTable("offer in letters", [letters])

    /// The keys of all three forms.
    static let allNames = [command.key.name, refusal.key.name, names.key.name, letters.name]

    static let shape = ValueShape.any([.map(listed), .map(unlessRefused), .map(inLetters)])
}
