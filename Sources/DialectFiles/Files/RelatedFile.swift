import Diagnostics

/// A file that a dialect refers to by its path, as its base or as a part of it.
enum RelatedFile {
    /// Returns true if the name is a path rather than the name of a built-in dialect.
    static func isPath(_ name: String) -> Bool {
        name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// Reads the file that the dialect file `path` refers to as `name`; returns nil if there is no
    /// such file. A relative name is resolved against the folder of `path`.
    static func read(
        _ name: String, for path: String
    ) throws(TextFile.Failure) -> SourceText? {
        var location = name
        if !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") {
            location = path[...slash] + name
        }
        let root = LinkPolicy.root(of: name, in: LinkPolicy.folder(of: path))
        do {
            let bytes = try TextFile.read(
                location, within: root, bytesMax: YamlReader.fileBytesMax)
            return SourceText(path: location, bytes: bytes)
        } catch {
            if error.reason == .missing { return nil }
            throw error
        }
    }
}

extension YamlValue {
    /// Returns the value with all positions moved by `offset`. If the value is a map, omits the
    /// keys in `keys`.
    func moved(by offset: Int, without keys: Set<String> = []) -> YamlValue {
        var result = self
        result.range = SourceRange(start: range.start + offset, end: range.end + offset)
        switch kind {
        case .scalar: break
        case .list(let values): result.kind = .list(values.map { $0.moved(by: offset) })
        case .map(let entries):
            result.kind = .map(
                entries.filter { !keys.contains($0.name) }.map {
                    YamlEntry(key: $0.key.moved(by: offset), value: $0.value.moved(by: offset))
                })
        }
        return result
    }

    /// Returns the value of a key; nil if the value is not a map or lacks the key.
    func value(of key: String) -> YamlValue? {
        guard case .map(let entries) = kind else { return nil }
        return entries.first { $0.name == key }?.value
    }

    /// The elements of a list. A value that is not a list counts as a list with one element.
    var elements: [YamlValue] {
        if case .list(let values) = kind { values } else { [self] }
    }
}
