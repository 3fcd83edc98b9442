package import Diagnostics

/// Where the settings of a dialect's file stand, for those who point at one.
package struct SettingPositions: Sendable {
    private var ranges: [String: SourceRange] = [:]
    private let profile: String?

    /// The places in a file that was read before; of one that cannot be read there are none.
    package init(_ source: SourceText, profile: String? = nil) {
        self.profile = profile
        let root: YamlValue?
        do {
            root = try YamlReader.read(source)
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

    /// The key of a setting: in the profile if it is there, else in the file; where it stands in neither, the key
    /// of what it would be a part of.
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
