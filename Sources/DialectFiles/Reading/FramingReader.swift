import Diagnostics
import LineProtocol

/// Reads `framing:`.
struct FramingReader {
    static let keys = [
        "terminator", "accept", "limits", "overflow", "empty-lines", "payload-end",
        "length-prefix", "header-frames", "grouping", "telnet", "client", "server",
    ]
    private static let sideKeys = ["terminator", "accept", "limits", "overflow"]
    private static let terminatorsMax = 6
    /// Largest limit that can be set, which is also the most a framer keeps of a line.
    private static let limitMax = 1 << 30

    private let problems: Problems
    private(set) var framing = Framing()
    /// True if a counted payload is followed by a terminator that is not counted.
    private(set) var payloadIsTerminated = true

    init(_ setting: Setting?, _ problems: Problems) {
        self.problems = problems
        guard let section = setting?.section(Self.keys) else {
            if setting == nil { problems.isOpen("framing.overflow") }
            return
        }
        readSides(section)
        framing.emptyLines =
            section["empty-lines"]?.word(
                ["ignore": .ignore, "message": .message], open: .ignore) ?? .ignore
        payloadIsTerminated =
            section["payload-end"]?.word(["terminator": true, "none": false]) ?? true
        framing.telnet = section["telnet"]?.flag() ?? false
        readUnit(section)
        if let grouping = section["grouping"] { framing.grouping = self.grouping(grouping) }
    }

    private mutating func readSides(_ section: Section) {
        let common = Framing.Side()
        let stated = section["overflow"] != nil
        let both = side(section, over: common, isWhole: true)
        framing.fromClient = both
        framing.fromServer = both
        for (key, path) in [("client", \Framing.fromClient), ("server", \Framing.fromServer)] {
            guard let part = section[key]?.section(Self.sideKeys) else { continue }
            framing[keyPath: path] = side(part, over: both, isWhole: false)
        }
        let sidesState = ["client", "server"].allSatisfy {
            section[$0]?.openSection()?["overflow"] != nil
        }
        if !stated, !sidesState { problems.isOpen("framing.overflow") }
    }

    private func side(_ section: Section, over base: Framing.Side, isWhole: Bool) -> Framing.Side {
        var side = base
        if let setting = section["terminator"], let terminator = terminator(setting) {
            side.terminator = terminator
            side.accepted = [terminator]
        }
        if let list = section["accept"]?.list(max: Self.terminatorsMax) {
            let accepted = list.compactMap(terminator)
            if !accepted.isEmpty { side.accepted = accepted }
        }
        if !side.accepted.contains(side.terminator), let setting = section["accept"] {
            problems.error(
                .conflict,
                "`\(setting.path)` does not include \(side.terminator.name), the terminator that is sent",
                at: setting.value.range, help: "add \(side.terminator.name) to the list")
        }
        if let limits = section["limits"] { side.limits = self.limits(limits, over: base.limits) }
        let overflow = section["overflow"]?.word(
            [
                "truncate": Framing.Overflow.truncate, "reject": .reject, "discard": .discard,
                "close": .close,
            ], open: .open)
        if let overflow { side.overflow = overflow }
        return side
    }

    private func terminator(_ setting: Setting) -> Terminator? {
        guard let text = setting.text(bytesMax: 64) else { return nil }
        let named: [Terminator] = [.lf, .crlf, .cr, .nul, .lfcr, .crnul]
        if let found = named.first(where: { $0.name == text.uppercased() }) { return found }
        let bytes = text.split(separator: " ").compactMap { ByteName.byte(String($0)) }
        let isHex = text.lowercased().hasPrefix("0x")
        if isHex, bytes.count == text.split(separator: " ").count,
            let terminator = Terminator(bytes: bytes)
        {
            return terminator
        }
        let names = named.map(\.name)
        let suggestion = didYouMean(text, among: names).map { "did you mean `\($0)`?" }
        problems.error(
            .badTerminator, "`\(shortened(text))` is not a terminator", at: setting.value.range,
            help: suggestion ?? "terminators: \(listed(names + ["0xHH", "0xHH 0xHH"]))")
        return nil
    }

    private func limits(_ setting: Setting, over base: Framing.Limits) -> Framing.Limits {
        let keys = ["line", "tags", "payload", "counts-terminator"]
        guard let section = setting.section(keys) else { return base }
        var limits = base
        let range = 2...Self.limitMax
        if let line = section["line"]?.number(in: range) { limits.lineBytesMax = line }
        if let tags = section["tags"]?.number(in: 0...Self.limitMax) { limits.tagBytesMax = tags }
        if let payload = section["payload"]?.number(in: 0...Self.limitMax) {
            limits.payloadBytesMax = payload
        }
        if let counts = section["counts-terminator"]?.flag() { limits.countsTerminator = counts }
        return limits
    }

    private mutating func readUnit(_ section: Section) {
        if let prefix = section["length-prefix"],
            let keys = prefix.section(["bytes", "counts-itself", "drops-nul"])
        {
            let width = keys["bytes"]?.number(in: 1...4) ?? 1
            if width == 3, let setting = keys["bytes"] {
                problems.error(
                    .badNumber, "a length must have 1, 2 or 4 bytes", at: setting.value.range)
            }
            framing.unit = .lengthPrefix(
                Framing.LengthPrefix(
                    width: width, countsItself: keys["counts-itself"]?.flag() ?? false,
                    dropsFinalNUL: keys["drops-nul"]?.flag() ?? false))
        }
        guard let header = section["header-frames"], let keys = header.section(["length"]) else {
            return
        }
        if section["length-prefix"] != nil {
            problems.error(
                .conflict, "frames have either a length prefix or headers, not both",
                at: header.key, help: "keep one of `length-prefix` and `header-frames`")
        }
        let length = keys["length"]?.text(bytesMax: 64) ?? "content-length"
        framing.unit = .headerFrame(lengthHeader: Array(length.utf8))
    }

    private func grouping(_ setting: Setting) -> Framing.ReplyGrouping {
        if case .scalar("none", _) = setting.value.kind { return .none }
        guard let section = setting.section(["closing", "asynchronous", "mark", "after"]) else {
            return .none
        }
        if let closing = section["closing"] {
            if let mark = section["mark"] {
                problems.error(
                    .conflict,
                    "answers either end with a `closing` line or are continued by a `mark`, not both",
                    at: mark.key)
            }
            return .closingStatus(
                verb: Array((closing.text(bytesMax: 64) ?? "").utf8),
                asynchronous: Array((section["asynchronous"]?.text(bytesMax: 64) ?? "").utf8))
        }
        guard
            let mark = section.required(
                "mark", "add `mark`, or `closing` with the command of the last line"),
            let byte = mark.byte()
        else { return .none }
        return .mark(byte, codeBytes: section["after"]?.number(in: 1...16) ?? 3)
    }
}
