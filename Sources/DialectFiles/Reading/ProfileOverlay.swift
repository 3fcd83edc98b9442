import Diagnostics

/// Lays a profile over a dialect: maps are joined key by key, anything else is replaced.
enum ProfileOverlay {
    /// What a profile may say.
    static let keys = [
        "summary", "port", "framing", "fields", "escaping", "tolerance", "policies", "commands",
        "behaviours", "rejects", "ignores", "timing", "clauses", "known-failures",
    ]

    static func merged(_ base: YamlValue, _ overlay: YamlValue) -> YamlValue {
        guard case .map(var entries) = base.kind, case .map(let others) = overlay.kind else {
            return overlay
        }
        for entry in others {
            if let place = entries.firstIndex(where: { $0.name == entry.name }) {
                entries[place].value = merged(entries[place].value, entry.value)
                entries[place].key = entry.key
            } else {
                entries.append(entry)
            }
        }
        return YamlValue(kind: .map(entries), range: base.range)
    }
}
