public import Diagnostics
import FoundationEssentials
public import LineProtocol
import Synchronization

/// A dialect and the file it was read from.
public struct DialectFile: Sendable {
    /// The text of the file, which the ranges of behaviours refer to. If the dialect is based on
    /// another one, the text of that dialect's file follows.
    public var source: SourceText
    /// The dialect, with the requested profile applied.
    public var dialect: Dialect
    /// Names of the profiles in the file, in order.
    public var profiles: [String]
    /// True for a built-in dialect.
    public var isBuiltIn: Bool
}

/// An entry in a list of dialects.
public struct DialectListing: Sendable, Equatable {
    /// The name of the dialect in scenarios.
    public var name: String
    /// One-line description.
    public var summary: String
    /// Names of the profiles in the file, in order.
    public var profiles: [String]
    /// Path of the file; nil for a built-in dialect.
    public var path: String?
}

/// Lookup of dialects by path, or by name in a scenario's folder or among the built-in dialects.
public enum DialectLibrary {
    /// The reference server's default dialect.
    package static let builtInServerDialect = "livechat"

    /// Advice for a scenario that does not specify a dialect.
    package static let adviceForScenario =
        "add a line such as `dialect irc`, or `dialect plain` for your own protocol, or pass "
        + "--dialect; `linejudge dialect list` lists the dialects"

    /// Names of the built-in dialects, sorted.
    public static var builtInNames: [String] { BuiltInDialects.all.map(\.name) }

    /// Returns the text of a built-in dialect; nil if there is none with this name.
    public static func builtInSource(_ name: String) -> SourceText? {
        BuiltInDialects.all.first { $0.name == name }.map {
            SourceText(path: "built-in/\($0.name).yaml", bytes: $0.bytes)
        }
    }

    /// Finds the dialect for `name`, which is a path ending in `.yaml` or `.yml`, or the name of a
    /// dialect that is built in or in the scenario's folder. Either may be followed by `+PROFILE`.
    ///
    /// - Parameters:
    ///   - name: a path or a name.
    ///   - folder: the base folder of relative paths. It is searched for `NAME.yaml` before the
    ///     built-in dialects.
    /// - Throws: the errors in the file, or an error that lists the available dialects if there is
    ///   no such dialect.
    public static func find(
        _ name: String, beside folder: String? = nil
    ) throws(Diagnosed) -> DialectFile {
        let found = try source(name, beside: folder)
        guard found.isBuiltIn else {
            return try read(found.source, found.profile, builtIn: false)
        }
        if let known = builtIns.withLock({ $0[name] }) { return known }
        let file = try read(found.source, found.profile, builtIn: true)
        builtIns.withLock { $0[name] = file }
        return file
    }

    /// Returns the text of the dialect for `name`, along with the requested profile. The text is
    /// returned even if it has errors; see ``find(_:beside:)``.
    public static func source(
        _ name: String, beside folder: String? = nil
    ) throws(Diagnosed) -> (source: SourceText, profile: String?, isBuiltIn: Bool) {
        let (base, profile) = parts(of: name)
        if isPath(base) {
            let root = folder.map { LinkPolicy.root(of: base, in: $0) }
            return (try file(at: path(base, folder), within: root), profile, false)
        }
        if isIdentifier(base), let folder {
            let beside = path("\(base).yaml", folder)
            if FileManager.default.fileExists(atPath: beside) {
                return (try file(at: beside), profile, false)
            }
        }
        guard let source = builtInSource(base) else { throw notFound(base, folder) }
        return (source, profile, true)
    }

    /// Cache of the built-in dialects, by name and profile. There are few, so it stays small.
    private static let builtIns = Mutex<[String: DialectFile]>([:])

    /// Returns the dialects in the folder, followed by the built-in ones.
    public static func listings(beside folder: String? = nil) -> [DialectListing] {
        let beside = names(inFolder: folder).map { name in
            let path = path("\(name).yaml", folder)
            return listing(name, try? file(at: path), path: path)
        }
        let builtIn = builtInNames.map { listing($0, builtInSource($0), path: nil) }
        return beside + builtIn
    }

    private static func listing(
        _ name: String, _ source: SourceText?, path: String?
    ) -> DialectListing {
        let outcome = source.map { DialectReader.read($0, profile: nil, others: path != nil) }
        let summary =
            outcome?.dialect?.summary ?? (source == nil ? "cannot be read" : "has errors")
        return DialectListing(
            name: name, summary: summary, profiles: outcome?.profiles ?? [], path: path)
    }

    private static func read(
        _ source: SourceText, _ profile: String?, builtIn: Bool
    ) throws(Diagnosed) -> DialectFile {
        // Do not check the other profiles of a built-in dialect, because tests read every profile.
        let outcome = DialectReader.read(source, profile: profile, others: !builtIn)
        guard let dialect = outcome.dialect else { throw Diagnosed(outcome.diagnostics) }
        return DialectFile(
            source: outcome.source, dialect: dialect, profiles: outcome.profiles, isBuiltIn: builtIn
        )
    }

    /// Splits `irc+ngircd` into `irc` and the profile `ngircd`.
    private static func parts(of name: String) -> (base: String, profile: String?) {
        guard let plus = name.lastIndex(of: "+") else { return (name, nil) }
        let profile = String(name[name.index(after: plus)...])
        // In a path such as `c++/x.yaml`, a plus sign does not start a profile.
        guard isIdentifier(profile) else { return (name, nil) }
        return (String(name[..<plus]), profile)
    }

    private static func isPath(_ name: String) -> Bool {
        name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.contains("/")
    }

    private static func path(_ name: String, _ folder: String?) -> String {
        guard let folder, !folder.isEmpty, !name.hasPrefix("/") else { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private static func file(
        at path: String, within root: String? = nil
    ) throws(Diagnosed) -> SourceText {
        let root = root ?? LinkPolicy.folder(of: path)
        do {
            let bytes = try TextFile.read(path, within: root, bytesMax: YamlReader.fileBytesMax)
            return SourceText(path: path, bytes: bytes)
        } catch {
            let shown = escapedForDisplay(path)
            guard error.reason == .missing else {
                throw Diagnosed(
                    Diagnostic(
                        .error, .unreadable, "cannot read the dialect file \(shown): \(error)"))
            }
            let missing = Diagnostic(.error, .notFound, "no such dialect file: \(shown)")
            let other = otherEnding(path)
            let isThere = (try? TextFile.read(other, within: root, bytesMax: 0)) != nil
            throw Diagnosed(
                isThere ? missing.help("did you mean `\(escapedForDisplay(other))`?") : missing)
        }
    }

    /// Returns the path with the other ending that YAML files have.
    private static func otherEnding(_ path: String) -> String {
        path.hasSuffix(".yml")
            ? path.dropLast(3) + "yaml" : path.hasSuffix(".yaml") ? path.dropLast(4) + "yml" : path
    }

    private static func notFound(_ name: String, _ folder: String?) -> Diagnosed {
        let beside = names(inFolder: folder)
        var fault = Diagnostic(.error, .notFound, "no dialect `\(shortened(name))`")
        let known = beside + builtInNames
        if let suggestion = didYouMean(name, among: known) {
            fault = fault.help("did you mean `\(suggestion)`?")
        }
        fault = fault.note("built-in dialects: \(builtInNames.joined(separator: ", "))")
        if !beside.isEmpty {
            fault = fault.note(
                "dialects in the scenario's folder: \(beside.joined(separator: ", "))")
        }
        return Diagnosed(
            fault.help("to use your own dialect, pass its file: \(shortened(name)).yaml"))
    }

    /// Returns the names of the dialect files in a folder, sorted.
    private static func names(inFolder folder: String?) -> [String] {
        let filesMax = 200
        guard let folder,
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: folder.isEmpty ? "." : folder)
        else { return [] }
        return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
            .filter(isIdentifier).sorted().prefix(filesMax).map(\.self)
    }
}

extension Diagnosed {
    /// True if the dialect is missing or cannot be read, false if it is invalid.
    package var isMissingDialect: Bool {
        !diagnostics.isEmpty
            && diagnostics.allSatisfy { [.notFound, .unreadable].contains($0.code) }
    }
}
