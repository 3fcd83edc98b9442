import LineProtocol

/// Checks for settings that contradict `fields.json`.
struct JSONChecks {
    let problems: Problems

    /// Checks the settings of a dialect in which the lines of some directions are JSON objects.
    func check(
        _ framing: Setting?, _ read: Framing, _ directions: [Direction], _ tolerance: Setting?,
        _ rules: Tolerance
    ) {
        checkTerminators(framing, read, directions)
        let section = framing?.openSection()
        for key in [FramingKeys.headerFrames.key, FramingKeys.grouping.key, FramingKeys.telnet.key]
        {
            guard let setting = section?[key] else { continue }
            if key.name == FramingKeys.telnet.key.name, !read.telnet { continue }
            if key.name == FramingKeys.grouping.key.name {
                guard case .mark = read.grouping else { continue }
            }
            problems.error(
                .conflict, "`\(setting.path)` cannot be combined with `fields.json`",
                at: setting.key)
        }
        if let tolerance { check(tolerance, rules) }
    }

    /// Reports the tolerance `join-last`, because JSON objects have no fields to join.
    func check(_ tolerance: Setting, _ rules: Tolerance) {
        guard rules.tooMany == .joinLast else { return }
        problems.error(
            .conflict, "`join-last` cannot be used when lines are JSON objects",
            at: tolerance.key, help: "use `ignore` or `reject`")
    }

    /// Reports terminators that can occur inside a JSON object.
    private func checkTerminators(
        _ setting: Setting?, _ framing: Framing, _ directions: [Direction]
    ) {
        guard framing.unit == .line else { return }
        for side in directions.map(framing.side) {
            let all = side.accepted + [side.terminator]
            guard let bad = all.first(where: { $0.bytes.contains { $0 >= 0x20 } }), let setting
            else { continue }
            problems.error(
                .conflict, "the terminator \(bad.name) can occur inside a JSON object",
                at: setting.key, help: "use a control byte, such as LF or NUL")
            return
        }
    }
}
