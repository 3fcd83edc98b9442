import Diagnostics

/// A reader that adds the files that a dialect's `include` lists to the dialect.
///
/// Unlike a base, an included file is a part of the dialect: it contains only whole entries, and
/// nothing may be defined twice.
struct DialectInclusion {
    static let key = "include"
    /// Maximum number of files that a dialect can include, directly and through other files.
    static let filesMax = 16
    /// The keys that an included file can have, apart from `include`.
    static let keys = ["commands", "behaviours", "rejects", "ignores", "offers", "clauses"]

    /// The dialect's file, followed by the files that have been included so far.
    private var source: SourceText
    private var entries: [YamlEntry]
    /// Range of the `include` entry for each file, by real path; nil for the dialect's own file.
    private var included: [String: SourceRange?] = [:]
    private var faults: [Diagnostic] = []

    /// Returns the dialect with the contents of the files that it includes. The returned source
    /// contains all files, so that positions in each of them can be reported.
    static func read(
        _ root: YamlValue, from source: SourceText
    ) throws(Diagnosed) -> (root: YamlValue, source: SourceText) {
        guard case .map(let entries) = root.kind, let list = root.value(of: key) else {
            return (root, source)
        }
        var files = DialectInclusion(source: source, entries: entries.filter { $0.name != key })
        files.included[identity(source.path)] = .some(nil)
        try files.include(list, in: source.path, within: [source.path])
        if !files.faults.isEmpty { throw Diagnosed(files.faults) }
        return (YamlValue(kind: .map(files.entries), range: root.range), files.source)
    }

    /// Returns the paths that a file includes, in order.
    static func references(in root: YamlValue) -> [YamlValue] {
        root.value(of: key)?.elements ?? []
    }

    private init(source: SourceText, entries: [YamlEntry]) {
        self.source = source
        self.entries = entries
    }

    /// Returns the path of a file with all links resolved.
    private static func identity(_ path: String) -> String { LinkPolicy.real(path) ?? path }

    /// Includes the files in a list.
    ///
    /// - Parameters:
    ///   - list: the value of `include`, with its position in `source`.
    ///   - path: the file that contains the list.
    ///   - chain: the files that include one another and lead to this one, from the dialect on.
    private mutating func include(
        _ list: YamlValue, in path: String, within chain: [String]
    ) throws(Diagnosed) {
        for element in list.elements {
            guard case .scalar(let name, _) = element.kind, !element.isNothing else {
                throw fault(
                    .wrongType, "`include` must list files, found \(element.description)",
                    at: element, help: "write the path of each file: `include: [shared.yaml]`")
            }
            guard RelatedFile.isPath(name) else {
                throw fault(
                    .notFound, "`\(shortened(name))` is not the path of a YAML file", at: element,
                    help: "write a path that ends in `.yaml`; to extend a dialect, use `based-on`")
            }
            try include(name, element, in: path, within: chain)
        }
    }

    private mutating func include(
        _ name: String, _ element: YamlValue, in path: String, within chain: [String]
    ) throws(Diagnosed) {
        let found: SourceText?
        do {
            found = try RelatedFile.read(name, for: path)
        } catch {
            throw fault(
                .unreadable, "cannot read `\(shortened(name))`: \(error)", at: element, help: nil)
        }
        guard let found else {
            throw fault(
                .notFound, "included file `\(shortened(name))` not found", at: element,
                help: "a relative path starts at the folder of the file that contains `include`")
        }
        let identity = Self.identity(found.path)
        if let first = included[identity] {
            throw repeated(found.path, identity, element, first: first, chain: chain)
        }
        guard included.count <= Self.filesMax else {
            throw fault(
                .tooMany, "the dialect includes more than \(Self.filesMax) files", at: element,
                help: "combine some of the files")
        }
        included[identity] = element.range
        try add(found, element, within: chain + [found.path])
    }

    /// Adds the contents of a file and of the files that it includes.
    private mutating func add(
        _ file: SourceText, _ element: YamlValue, within chain: [String]
    ) throws(Diagnosed) {
        guard source.bytes.count + file.bytes.count < YamlReader.fileBytesMax else {
            throw fault(
                .fileTooLarge,
                "a dialect and the files that it includes are limited to \(YamlReader.fileBytesMax >> 10) KiB in total",
                at: element, help: nil)
        }
        guard let read = try YamlReader.read(file) else {
            throw fault(
                .empty, "the included file `\(shortened(file.path))` is empty", at: element,
                help: "remove it from `include`")
        }
        let root = read.moved(by: source.bytes.count + 1)
        source = SourceText(source, followedBy: file)
        guard case .map(let found) = root.kind else {
            throw fault(
                .wrongType,
                "an included file must be a map of keys and values, found \(root.description)",
                at: root, help: "for example, start it with `commands:`")
        }
        for entry in found where entry.name != Self.key { add(entry) }
        guard let list = root.value(of: Self.key) else { return }
        try include(list, in: file.path, within: chain)
    }

    /// Adds an entry of an included file.
    private mutating func add(_ entry: YamlEntry) {
        guard Self.keys.contains(entry.name) else {
            let suggestion = didYouMean(entry.name, among: Self.keys)
            faults.append(
                diagnostic(
                    .unknownKey,
                    "an included file cannot contain `\(shortened(entry.name))`", at: entry.key,
                    help: suggestion.map { "did you mean `\($0)`?" }
                        ?? "it can contain \(listed(Self.keys + [Self.key], "and")); "
                        + "to share other settings, use `based-on`"))
            return
        }
        guard let index = entries.firstIndex(where: { $0.name == entry.name }) else {
            entries.append(entry)
            return
        }
        guard entry.name != "rejects", entry.name != "ignores" else {
            entries[index].value.kind = .list(
                entries[index].value.elements + entry.value.elements)
            return
        }
        guard case .map(let new) = entry.value.kind else {
            faults.append(
                diagnostic(
                    .wrongType,
                    "`\(entry.name)` must be a map of keys and values, found \(entry.value.description)",
                    at: entry.value, help: nil))
            return
        }
        // If the dialect's own value is not a map, the error is reported when it is read.
        guard case .map(var all) = entries[index].value.kind else { return }
        for member in new {
            guard let first = all.first(where: { $0.name == member.name }) else {
                all.append(member)
                continue
            }
            faults.append(
                diagnostic(
                    .duplicateKey, "`\(entry.name).\(shortened(member.name))` is defined twice",
                    at: member.key,
                    help: "keep one of them; only `based-on` lets a dialect change definitions"
                ).related(location(first.key.range, "first defined here")))
        }
        entries[index].value.kind = .map(all)
    }

    /// Returns the error for a file that is included twice, or that includes itself.
    private func repeated(
        _ path: String, _ identity: String, _ element: YamlValue, first: SourceRange?,
        chain: [String]
    ) -> Diagnosed {
        if let start = chain.firstIndex(where: { Self.identity($0) == identity }) {
            let loop = (chain[start...] + [path]).map { shortened(lastComponent(of: $0)) }
            return fault(
                .conflict, "the file includes itself: \(loop.joined(separator: " → "))",
                at: element, help: "remove one of these files from `include`")
        }
        let twice = diagnostic(
            .conflict, "`\(shortened(lastComponent(of: path)))` is included twice", at: element,
            help: "remove one of them")
        return Diagnosed(first.map { twice.related(location($0, "first included here")) } ?? twice)
    }

    // MARK: Diagnostics

    private func location(_ range: SourceRange, _ label: String = "") -> DiagnosticLocation {
        DiagnosticLocation(source: source, range: range, label: label)
    }

    private func diagnostic(
        _ code: DiagnosticCode, _ message: String, at value: YamlValue, help: String?
    ) -> Diagnostic {
        let diagnostic = Diagnostic(.error, code, message, at: location(value.range))
        return help.map { diagnostic.help($0) } ?? diagnostic
    }

    private func fault(
        _ code: DiagnosticCode, _ message: String, at value: YamlValue, help: String?
    ) -> Diagnosed {
        Diagnosed(faults + [diagnostic(code, message, at: value, help: help)])
    }
}

/// Returns the part of a path after the last slash.
func lastComponent(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
}
