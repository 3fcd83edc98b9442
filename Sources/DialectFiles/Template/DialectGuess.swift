import Diagnostics
import LineProtocol

/// Dialect inference from captured lines, by counting bytes and fields. Comments in the resulting
/// file give the evidence for each guess.
public enum DialectGuess {
    /// Returns a dialect file for the lines in `bytes`. The file can be read without errors.
    ///
    /// A line may start with `-> ` or `C: ` if a client sent it, and with `<- ` or `S: ` if a
    /// server sent it.
    public static func yaml(name: String, lines bytes: [UInt8]) -> String {
        Guess(name: isIdentifier(name) ? name : "mychat", SampleLines(bytes)).yaml
    }
}

private struct Guess {
    private let name: String
    private let sample: SampleLines
    private let separator: SeparatorGuess
    private let commands: [CommandGuess]
    private let json: JSONGuess?

    init(name: String, _ sample: SampleLines) {
        self.name = name
        self.sample = sample
        separator = SeparatorGuess(sample.lines.map(\.bytes))
        commands = CommandGuess.all(sample.lines, separator)
        json = JSONGuess(sample.lines)
    }

    var yaml: String {
        var lines = [
            "# Guessed from \(counted(sample.lines.count, "line")). Verify each guess; the comments give the evidence.",
            "name: \(name)", "summary: Guessed from a capture", "",
        ]
        lines += framing + [""]
        if let json {
            lines += json.fields + [""]
        } else {
            lines += fields + [""] + escaping + [""]
        }
        lines += commandLines
        lines += [
            "",
            "# `check` and `load` also need: how an operator logs in, a command that a working server always",
            "# answers, how a message is sent, and how it arrives.",
            "# behaviours:",
        ]
        lines += ["login", "probe", "say", "heard"].map { "#   \($0): |" }
        return lines.map { $0 + "\n" }.joined()
    }

    private var framing: [String] {
        let counts = sample.terminators.map { "\($0.terminator.name) \(counted($0.count, "time"))" }
        let longest = sample.lines.map(\.bytes.count).max() ?? 0
        let first = sample.terminators.first?.terminator ?? .lf
        var lines = [
            "framing:",
            "  # Seen: \(counts.isEmpty ? "no terminator" : counts.joined(separator: ", ")). Longest line: \(counted(longest, "byte")).",
            "  terminator: \(first.name)",
        ]
        let others = sample.terminators.dropFirst().filter {
            $0.count * 20 >= sample.terminators[0].count
                && ($0.terminator.last == first.last || first.last == $0.terminator.last)
        }
        if !others.isEmpty {
            let names = ([first] + others.map(\.terminator)).map(\.name)
            lines.append("  accept: [\(names.joined(separator: ", "))]")
        }
        return lines + ["  overflow: '?'"]
    }

    private var fields: [String] {
        guard let byte = separator.byte else {
            return [
                "fields:", "  # No byte separates fields in most lines: each line is plain text.",
                "  verb: none",
            ]
        }
        var lines = [
            "fields:", "  # \(separator.reason)", "  separator: \(ByteName.yaml(byte))",
        ]
        if separator.runs { lines.append("  runs: true") }
        if separator.hasSource {
            lines.append("  source: ':'             # some lines start with it")
        }
        if separator.hasTrailing {
            lines.append("  trailing: ':'           # some fields start with it and contain spaces")
        }
        return lines
    }

    private var escaping: [String] {
        let escapes = EscapeGuess(sample.lines.map(\.bytes), separator.byte)
        return escapes.lines
    }

    private var commandLines: [String] {
        let found = json?.commandLines ?? commands.flatMap(\.lines)
        guard !found.isEmpty else { return ["commands: {}"] }
        let hasDirections = sample.lines.contains { $0.direction != nil }
        let note = "  # The sample does not show the senders: set `from` to client or server."
        return ["commands:"] + (hasDirections ? [] : [note]) + found
    }
}

/// The field separator, guessed from sample lines.
struct SeparatorGuess {
    private(set) var byte: UInt8?
    private(set) var reason = ""
    private(set) var runs = false
    private(set) var hasSource = false
    private(set) var hasTrailing = false

    private static let candidates: [UInt8] = [
        ASCII.pipe, ASCII.tab, 0x01, 0x1F, ASCII.semicolon, 0x7E, 0x5E, 0x2C, 0x26, ASCII.space,
        ASCII.colon,
    ]

    init(_ lines: [[UInt8]]) {
        guard !lines.isEmpty else { return }
        let counts = Self.candidates.map { byte in
            (byte: byte, count: lines.count { $0.contains(byte) })
        }
        // A byte that is rare in text is probably a separator. Spaces are common in text, so they
        // are chosen only if there is no other candidate.
        let most = counts.first { $0.count * 2 >= lines.count }
        guard let most else { return }
        byte = most.byte
        reason =
            "\(ByteName.shown(most.byte)) occurs in \(most.count) of \(counted(lines.count, "line"))."
        guard most.byte == ASCII.space else { return }
        runs = true
        hasSource = lines.contains { $0.first == ASCII.colon && $0.contains(ASCII.space) }
        hasTrailing = lines.contains { line in
            zip(line, line.dropFirst()).contains { $0 == ASCII.space && $1 == ASCII.colon }
        }
    }
}

/// The escaping rules, guessed from sample lines.
struct EscapeGuess {
    private(set) var lines: [String] = []

    init(_ sample: [[UInt8]], _ separator: UInt8?) {
        var letters: [UInt8: Int] = [:]
        var percents = 0
        for line in sample {
            for (index, byte) in line.enumerated() where index + 1 < line.count {
                if byte == ASCII.backslash { letters[line[index + 1], default: 0] += 1 }
                if byte == ASCII.percent, index + 2 < line.count,
                    ASCII.hexValue(line[index + 1]) != nil, ASCII.hexValue(line[index + 2]) != nil
                {
                    percents += 1
                }
            }
        }
        let slashes = letters.values.reduce(0, +)
        if let separator, slashes > 0, slashes >= percents, separator != ASCII.backslash {
            lines = Self.table(letters, separator)
        } else if separator != nil, percents > 0 {
            lines = [
                "# Seen: a percent sign followed by two hexadecimal digits, \(counted(percents, "time")).",
                "escaping:",
                "  percent: [space, CR, LF]",
            ]
        } else {
            lines = ["# Seen: no escapes.", "escaping: none"]
        }
    }

    private static func table(_ letters: [UInt8: Int], _ separator: UInt8) -> [String] {
        let known: [UInt8: UInt8] = [
            UInt8(ascii: "n"): ASCII.lf, UInt8(ascii: "r"): ASCII.cr, UInt8(ascii: "t"): ASCII.tab,
            UInt8(ascii: "s"): ASCII.space, UInt8(ascii: "p"): ASCII.pipe,
        ]
        var meaning: [UInt8: UInt8] = [ASCII.backslash: ASCII.backslash]
        if letters[separator] != nil { meaning[separator] = separator }
        for (letter, byte) in known
        where letters[letter] != nil && !meaning.values.contains(byte) { meaning[letter] = byte }
        let seen = letters.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map {
            "\\\(UnicodeScalar($0.key)) (\($0.value))"
        }
        let list = meaning.sorted { $0.key < $1.key }.map {
            "\(ByteName.yaml($0.key)): \(ByteName.yaml($0.value))"
        }
        let shown = seen.filter {
            $0.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        }
        return [
            "# Seen after a backslash (count): \(shown.joined(separator: ", ")).", "escaping:",
            "  escape: '\\'", "  letters: {\(list.joined(separator: ", "))}", "  unknown: '?'",
        ]
    }
}
