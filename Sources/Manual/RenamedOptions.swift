/// Former option names, accepted for one more version.
package enum RenamedOptions {
    /// For each command, its options' current names, keyed by former name.
    package static let names: [String: [String: String]] = [
        "check": [
            "characterise": "write-baseline", "characterize": "write-baseline", "lock": "baseline",
        ],
        "load": ["quantum": "batch-interval"],
    ]

    /// Returns the arguments with former option names replaced.
    package static func current(_ arguments: [String]) -> [String] {
        guard let names = arguments.first.flatMap({ names[$0] }) else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { argument in
            guard argument.hasPrefix("--") else { return argument }
            let parts = argument.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let old = parts.first, let new = names[String(old)] else { return argument }
            return "--" + new + argument.dropFirst(2 + old.count)
        } + arguments[end...]
    }

    package static func earlierNames(of option: String, in command: String) -> [String] {
        (names[command] ?? [:]).filter { $0.value == option }.map(\.key).sorted()
    }
}
