/// A map whose settings refine those of another map.
struct LayeredSection {
    /// The map that refines the other one; nil if there is none.
    let top: Section?
    let base: Section

    /// Returns the setting of a key; nil if it is missing in both maps.
    subscript(_ key: some SettingKey) -> Setting? { top?[key] ?? base[key] }

    /// Reads the value of a key. Returns the key's default if it is missing in both maps or its
    /// value is invalid.
    func value<Value>(_ key: ValueKey<Value>) -> Value {
        if let top, top[key] != nil { return top.value(key) }
        return base.value(key)
    }

    /// Returns the settings that apply together with `setting`. If the upper map contains it, the
    /// settings of the lower map are left out, because they describe other lines.
    func settings(beside setting: Setting?) -> [Setting] {
        guard let top else { return base.settings }
        let isInTop = setting.map { top[$0.name]?.path == $0.path } ?? false
        return isInTop ? top.settings : base.settings + top.settings
    }
}
