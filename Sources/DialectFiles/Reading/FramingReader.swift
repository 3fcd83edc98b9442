import Diagnostics
import LineProtocol

/// Reader for a dialect's `framing:` section.
struct FramingReader {
    private typealias Keys = FramingKeys

    static let terminatorsMax = 6

    private let problems: Problems
    private(set) var framing = Framing()
    /// True if a counted payload is followed by a terminator that its length does not include.
    private(set) var payloadIsTerminated = true

    init(_ setting: Setting?, _ problems: Problems) {
        self.problems = problems
        guard let section = setting?.section(Keys.table) else {
            if setting == nil { problems.isOpen("framing.overflow") }
            return
        }
        readSides(section)
        framing.emptyLines = section.value(Keys.emptyLines)
        payloadIsTerminated = section.value(Keys.payloadIsTerminated)
        framing.greeting = section.value(Keys.greeting)
        framing.telnet = section.value(Keys.telnet)
        readUnit(section)
        if let grouping = section[Keys.grouping] { framing.grouping = self.grouping(grouping) }
    }

    private mutating func readSides(_ section: Section) {
        let common = Framing.Side()
        let stated = section[Keys.overflow] != nil
        let both = side(section, over: common, isWhole: true)
        framing.fromClient = both
        framing.fromServer = both
        let sides = [(Keys.client, \Framing.fromClient), (Keys.server, \Framing.fromServer)]
        for (key, path) in sides {
            guard let part = section[key]?.section(Keys.sideTable) else { continue }
            framing[keyPath: path] = side(part, over: both, isWhole: false)
        }
        let sidesState = [Keys.client, Keys.server].allSatisfy {
            section[$0]?.openSection()?[Keys.overflow] != nil
        }
        if !stated, !sidesState { problems.isOpen("framing.overflow") }
    }

    private func side(_ section: Section, over base: Framing.Side, isWhole: Bool) -> Framing.Side {
        var side = base
        if let setting = section[Keys.terminator], let terminator = terminator(setting) {
            side.terminator = terminator
            side.accepted = [terminator]
        }
        if let list = section[Keys.accept]?.list(max: Self.terminatorsMax) {
            let accepted = list.compactMap(terminator)
            if !accepted.isEmpty { side.accepted = accepted }
        }
        if !side.accepted.contains(side.terminator), let setting = section[Keys.accept] {
            problems.error(
                .conflict,
                "`\(setting.path)` does not include \(side.terminator.name), the terminator that is sent",
                at: setting.value.range, help: "add \(side.terminator.name) to the list")
        }
        if let limits = section[Keys.limits] {
            side.limits = self.limits(limits, over: base.limits)
        }
        if let overflow = section.value(Keys.overflow) { side.overflow = overflow }
        return side
    }

    private func terminator(_ setting: Setting) -> Terminator? {
        guard let text = setting.text(bytesMax: 64) else { return nil }
        let named = Keys.terminators
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
        guard let section = setting.section(LimitKeys.table) else { return base }
        var limits = base
        if let line = section.value(LimitKeys.line) { limits.lineBytesMax = line }
        if let tags = section.value(LimitKeys.tags) { limits.tagBytesMax = tags }
        if let payload = section.value(LimitKeys.payload) { limits.payloadBytesMax = payload }
        if let counts = section.value(LimitKeys.countsTerminator) {
            limits.countsTerminator = counts
        }
        return limits
    }

    private mutating func readUnit(_ section: Section) {
        if let prefix = section[Keys.lengthPrefix],
            let parts = prefix.section(LengthPrefixKeys.table)
        {
            let width = parts.value(LengthPrefixKeys.bytes)
            if width == 3, let setting = parts[LengthPrefixKeys.bytes] {
                problems.error(
                    .badNumber, "a length prefix must be 1, 2 or 4 bytes wide",
                    at: setting.value.range)
            }
            framing.unit = .lengthPrefix(
                Framing.LengthPrefix(
                    width: width, countsItself: parts.value(LengthPrefixKeys.countsItself),
                    dropsFinalNUL: parts.value(LengthPrefixKeys.dropsNUL)))
        }
        guard let header = section[Keys.headerFrames],
            let parts = header.section(Keys.headerFrameTable)
        else { return }
        if section[Keys.lengthPrefix] != nil {
            problems.error(
                .conflict, "frames have either a length prefix or headers, not both",
                at: header.key, help: "keep one of `length-prefix` and `header-frames`")
        }
        framing.unit = .headerFrame(lengthHeader: Array(parts.value(Keys.lengthHeader).utf8))
    }

    /// Sets the RESP framing. Only the settings in ``FramingKeys/withRESP`` are allowed.
    mutating func useRESP(_ setting: Setting?) {
        for other in setting?.openSection()?.settings ?? []
        where !Keys.withRESP.contains(other.name) {
            problems.error(
                .conflict, "`\(other.path)` cannot be combined with `fields.resp`", at: other.key)
        }
        framing.unit = .resp
        for path in [\Framing.fromClient, \Framing.fromServer] {
            framing[keyPath: path].terminator = .crlf
            framing[keyPath: path].accepted = [.crlf, .lf]
        }
    }

    private func grouping(_ setting: Setting) -> Framing.ReplyGrouping {
        if case .scalar("none", _) = setting.value.kind { return .none }
        guard let section = setting.section(GroupingKeys.table) else {
            return .none
        }
        if section[GroupingKeys.closing] != nil {
            if let mark = section[GroupingKeys.mark] {
                problems.error(
                    .conflict,
                    "answers either end with a `closing` line or are continued by a `mark`, not both",
                    at: mark.key)
            }
            return .closingStatus(
                verb: Array((section.value(GroupingKeys.closing) ?? "").utf8),
                asynchronous: Array(section.value(GroupingKeys.asynchronous).utf8))
        }
        guard
            let mark = section.required(
                GroupingKeys.mark.name, "add `mark`, or `closing` with the last line's command"
            ),
            let byte = mark.byte()
        else { return .none }
        return .mark(byte, codeBytes: section.value(GroupingKeys.after))
    }
}
