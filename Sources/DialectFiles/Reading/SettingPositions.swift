package import Diagnostics

/// Positions of the settings in a dialect file.
package struct SettingPositions: Sendable {
    private var ranges: [String: SourceRange] = [:]
    private let profile: String?

    /// Reads the positions from a file. A file that cannot be parsed has none.
    package init(_ source: SourceText, profile: String? = nil) {
        self.profile = profile
        let root: YamlValue?
        do {
            root = try BaseDialect.read(source)?.root
        } catch {
            root = nil
        }
        if let root { add(root, path: "") }
    }

    private mutating func add(_ value: YamlValue, path: String) {
        guard case .map(let entries) = value.kind else { return }
        for entry in entries {
            let name = path.isEmpty ? entry.name : "\(path).\(entry.name)"
            ranges[name] = entry.key.range
            add(entry.value, path: name)
        }
    }

    /// Returns the range of a setting's key: in the profile if it has the key, otherwise in the
    /// other parts of the file. If there is no such key, returns the range of the closest enclosing
    /// key; nil if there is none.
    package subscript(_ path: String) -> SourceRange? {
        var parts = path.split(separator: ".").map(String.init)
        while !parts.isEmpty {
            let name = parts.joined(separator: ".")
            let own = profile.flatMap { ranges["profiles.\($0).\(name)"] }
            if let range = own ?? ranges[name] { return range }
            parts.removeLast()
        }
        return ranges["name"]
    }
}
