import Diagnostics

/// A merge of a profile into its dialect, or of a dialect into its base. Maps are merged key by
/// key; any other value is replaced.
enum ProfileOverlay {
    static func merged(_ base: YamlValue, _ overlay: YamlValue) -> YamlValue {
        guard case .map(var entries) = base.kind, case .map(let others) = overlay.kind else {
            return overlay
        }
        for entry in others {
            if let index = entries.firstIndex(where: { $0.name == entry.name }) {
                entries[index].value = merged(entries[index].value, entry.value)
                entries[index].key = entry.key
            } else {
                entries.append(entry)
            }
        }
        return YamlValue(kind: .map(entries), range: base.range)
    }
}
