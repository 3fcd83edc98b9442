import Diagnostics

/// A reader that merges a dialect with its base, which is the dialect that `based-on` names.
struct BaseDialect {
    static let key = "based-on"
    /// Maximum length of a chain of dialects linked by `based-on`.
    private static let depthMax = 8
    /// The keys that a dialect does not inherit from its base.
    private static let ownKeys: Set = [key, "name", "profiles", "known-failures"]

    /// Reads a dialect file; returns nil if it is empty. If the dialect is based on another one,
    /// the returned value contains the settings of both, and the source text contains both files,
    /// so that positions in either can be reported.
    static func read(
        _ source: SourceText
    ) throws(Diagnosed) -> (root: YamlValue, source: SourceText)? {
        try read(source, depth: 0)
    }

    /// Returns the value of `based-on` if it is the path of a file; nil if the dialect is not based
    /// on a file, or cannot be read.
    static func reference(in file: SourceText) -> YamlValue? {
        guard let root = try? YamlReader.read(file), case .map(let entries) = root.kind,
            let value = entries.first(where: { $0.name == key })?.value,
            case .scalar(let name, _) = value.kind, isPath(name)
        else { return nil }
        return value
    }

    private static func isPath(_ name: String) -> Bool {
        name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    private static func read(
        _ source: SourceText, depth: Int
    ) throws(Diagnosed) -> (root: YamlValue, source: SourceText)? {
        let own = source.file
        guard let root = try YamlReader.read(own) else { return nil }
        guard case .map(let entries) = root.kind,
            let entry = entries.first(where: { $0.name == key })
        else { return (root, own) }
        func fault(_ code: DiagnosticCode, _ message: String, help: String) -> Diagnosed {
            let location = DiagnosticLocation(source: own, range: entry.value.range)
            return Diagnosed(Diagnostic(.error, code, message, at: location).help(help))
        }
        guard case .scalar(let name, _) = entry.value.kind, !entry.value.isNothing else {
            throw fault(
                .wrongType, "`based-on` must be a dialect, found \(entry.value.description)",
                help: "write the name of a built-in dialect, or the path of a file")
        }
        guard depth < depthMax else {
            throw fault(
                .conflict,
                "the dialect is based on itself or on a chain of more than \(depthMax) dialects",
                help: "remove `based-on` from one of the files")
        }
        let found: SourceText?
        do {
            found = try find(name, for: own.path)
        } catch {
            throw fault(
                .unreadable, "cannot read dialect `\(shortened(name))`: \(error)",
                help: "write the name of a built-in dialect, or the path of a file")
        }
        guard let found else {
            let names = BuiltInDialects.all.map(\.name)
            let suggestion = didYouMean(name, among: names).map { "did you mean `\($0)`?" }
            throw fault(
                .notFound, "base dialect `\(shortened(name))` not found",
                help: suggestion
                    ?? "built-in dialects: \(listed(names, "and")); for a file, write its path: base.yaml"
            )
        }
        guard let base = try read(found, depth: depth + 1) else {
            throw fault(
                .empty, "the \(shortened(name)) dialect is empty", help: "choose another dialect")
        }
        let offset = own.bytes.count + 1
        var merged = ProfileOverlay.merged(base.root.moved(by: offset, without: ownKeys), root)
        merged.range = root.range
        return (merged, SourceText(own, followedBy: base.source))
    }

    /// Returns the text of the built-in dialect or the file that `name` refers to; nil if there is
    /// none. A relative path is resolved against the folder of the file `path`.
    private static func find(
        _ name: String, for path: String
    ) throws(TextFile.Failure) -> SourceText? {
        guard isPath(name) else {
            let known = BuiltInDialects.all.first { $0.name == name }
            return known.map { SourceText(path: "built-in/\($0.name).yaml", bytes: $0.bytes) }
        }
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
    fileprivate func moved(by offset: Int, without keys: Set<String> = []) -> YamlValue {
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
}
