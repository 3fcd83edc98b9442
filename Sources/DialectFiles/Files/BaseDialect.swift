import Diagnostics

/// A reader that merges a dialect with its base, which is the dialect that `based-on` names.
struct BaseDialect {
    static let key = "based-on"
    /// Maximum length of a chain of dialects linked by `based-on`.
    private static let depthMax = 8
    /// The keys that a dialect does not inherit from its base.
    private static let ownKeys: Set = [key, "name", "profiles", "known-failures"]

    /// A dialect file, with the files that it includes and is based on.
    typealias File = (root: YamlValue, source: SourceText)

    /// Reads a dialect file; returns nil if it is empty. If the dialect includes other files or is
    /// based on another dialect, the returned value contains the settings of all of them, and the
    /// source text contains all files, so that positions in each can be reported.
    static func read(_ source: SourceText) throws(Diagnosed) -> File? {
        try read(source, depth: 0)
    }

    /// Returns the value of `based-on` if it is the path of a file; nil if the dialect is not based
    /// on a file.
    static func reference(in root: YamlValue) -> YamlValue? {
        guard let value = root.value(of: key), case .scalar(let name, _) = value.kind,
            RelatedFile.isPath(name)
        else { return nil }
        return value
    }

    private static func read(_ source: SourceText, depth: Int) throws(Diagnosed) -> File? {
        guard let file = try YamlReader.read(source.file) else { return nil }
        let (root, own) = try DialectInclusion.read(file, from: source.file)
        guard let reference = root.value(of: key) else { return (root, own) }
        func fault(_ code: DiagnosticCode, _ message: String, help: String) -> Diagnosed {
            let location = DiagnosticLocation(source: own, range: reference.range)
            return Diagnosed(Diagnostic(.error, code, message, at: location).help(help))
        }
        guard case .scalar(let name, _) = reference.kind, !reference.isNothing else {
            throw fault(
                .wrongType, "`based-on` must be a dialect, found \(reference.description)",
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
        if RelatedFile.isPath(name) { return try RelatedFile.read(name, for: path) }
        let known = BuiltInDialects.all.first { $0.name == name }
        return known.map { SourceText(path: "built-in/\($0.name).yaml", bytes: $0.bytes) }
    }
}
