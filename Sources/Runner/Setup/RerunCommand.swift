/// The command line that reruns the failed scenarios.
package enum RerunCommand {
    /// Returns the command line with `--last-failed` and the seed added, so that random values are
    /// the same. Variable values are replaced with `…`, because they may be secret and logs may be
    /// public.
    package static func text(_ arguments: [String], seed: UInt64) -> String {
        var words = ["linejudge"]
        var hidesNext = false
        for argument in arguments {
            if hidesNext {
                words.append(quoted(masked(argument)))
            } else if argument.hasPrefix("--var=") {
                words.append("--var=" + quoted(masked(String(argument.dropFirst(6)))))
            } else {
                words.append(quoted(argument))
            }
            hidesNext = argument == "--var"
        }
        if !arguments.contains("--last-failed") { words.append("--last-failed") }
        let hasSeed = arguments.contains { $0 == "--seed" || $0.hasPrefix("--seed=") }
        if !hasSeed { words += ["--seed", String(seed)] }
        return words.joined(separator: " ")
    }

    private static func masked(_ variable: String) -> String {
        variable.prefix { $0 != "=" } + "=…"
    }

    /// Returns the word, quoted for a shell if necessary.
    private static func quoted(_ word: String) -> String {
        let harmless = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:=@%+,".utf8.contains(byte) || byte >= 0x80
            }
        }
        if harmless, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
