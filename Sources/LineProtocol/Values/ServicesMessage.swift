/// Detection of passwords in messages to IRC services, such as `IDENTIFY hunter2` to NickServ.
enum ServicesMessage {
    /// Commands that take a password in Atheme, Anope, Q (QuakeNet) or X (Undernet).
    private static let commands = words([
        "AUTH", "CHPASS", "CONFIRM", "DROP", "GHOST", "GROUP", "ID", "IDENTIFY", "LINK", "LOGIN",
        "NEWPASS", "PASSWD", "RECOVER", "REGAIN", "REGISTER", "RELEASE", "RESETPASS", "SETPASS",
        "SIDENTIFY", "VERIFY",
    ])
    /// Commands whose first or second parameter is a setting, as in `SET #room PASSWORD hunter2`.
    private static let setters = words(["SASET", "SET"])
    /// Settings whose value is a password or, in a mode lock, the key of a channel.
    private static let settings = words(["KEY", "MLOCK", "PASS", "PASSWD", "PASSWORD"])
    /// Services whose name does not end with `Serv`.
    private static let names = words(["Q", "X"])

    private static func words(_ words: [String]) -> Set<[UInt8]> {
        Set(words.map { Array($0.utf8) })
    }

    /// Returns true if one of the targets of a message is a service, such as `NickServ`,
    /// `NickServ@services.example` or a module of the bouncer ZNC (`*nickserv`).
    static func isService(_ target: Span<UInt8>) -> Bool {
        var start = 0
        while start < target.count {
            var end = start
            while end < target.count, target[end] != UInt8(ascii: ",") { end += 1 }
            if isServiceName(target.extracting(start..<end)) { return true }
            start = end + 1
        }
        return false
    }

    private static func isServiceName(_ target: Span<UInt8>) -> Bool {
        guard target.count > 0 else { return false }
        if target[0] == UInt8(ascii: "*") { return target.count > 1 && ASCII.isLetter(target[1]) }
        guard ASCII.isLetter(target[0]) else { return false }
        var count = 0
        while count < target.count, target[count] != ASCII.at, target[count] != UInt8(ascii: "!") {
            count += 1
        }
        let name = uppercased(target, 0..<count)
        return name.suffix(4).elementsEqual("SERV".utf8) || names.contains(name)
    }

    /// Returns the offset of the password in the text of a message to a service; nil if there is
    /// none. Everything that follows the command belongs to the password, because the order of a
    /// command's parameters depends on the service.
    static func password(in text: Span<UInt8>) -> Int? {
        var start = 0
        let command = word(in: text, from: &start)
        return password(after: command, in: text, from: start)
    }

    /// Returns the offset of the password in the parameters of a command; nil if there is none.
    static func password(of command: Span<UInt8>, in parameters: Span<UInt8>) -> Int? {
        password(after: uppercased(command, 0..<command.count), in: parameters, from: 0)
    }

    private static func password(
        after command: [UInt8], in text: Span<UInt8>, from start: Int
    ) -> Int? {
        var start = start
        if setters.contains(command) {
            guard
                settings.contains(word(in: text, from: &start))
                    || settings.contains(word(in: text, from: &start))
            else { return nil }
        } else {
            guard commands.contains(command) else { return nil }
        }
        skipSpaces(in: text, from: &start)
        return start < text.count ? start : nil
    }

    /// Reads a word in upper case without formatting codes, and advances `offset` to its end.
    private static func word(in text: Span<UInt8>, from offset: inout Int) -> [UInt8] {
        skipSpaces(in: text, from: &offset)
        let start = offset
        while offset < text.count, !isSpace(text[offset]) { offset += 1 }
        return uppercased(text, start..<offset).filter { $0 >= ASCII.space }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

    private static func skipSpaces(in text: Span<UInt8>, from offset: inout Int) {
        while offset < text.count, isSpace(text[offset]) { offset += 1 }
    }

    private static func uppercased(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        text.array(range).map(ASCII.uppercased)
    }
}
