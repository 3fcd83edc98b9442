public import Diagnostics
import Foundation
public import LineProtocol
import Synchronization

/// A dialect with the file it comes from.
public struct DialectFile: Sendable {
    /// The text, which the places of behaviours point into.
    public var source: SourceText
    /// What it says, with the profile that was asked for.
    public var dialect: Dialect
    /// The profiles that the file has, in its order.
    public var profiles: [String]
    /// Whether it comes with this program.
    public var isBuiltIn: Bool
}

/// A dialect as the library lists it.
public struct DialectListing: Sendable, Equatable {
    /// What a scenario calls it.
    public var name: String
    /// What it is, in a line.
    public var summary: String
    /// The profiles that the file has, in its order.
    public var profiles: [String]
    /// Its path; nil for one that comes with this program.
    public var path: String?
}

/// Finds dialects: by path, beside a scenario, or among those that come with this program.
public enum DialectLibrary {
    /// The names of the built-in dialects, sorted.
    public static var builtInNames: [String] { BuiltInDialects.all.map(\.name) }

    /// The text of a built-in dialect, or nil.
    public static func builtInSource(_ name: String) -> SourceText? {
        BuiltInDialects.all.first { $0.name == name }.map {
            SourceText(path: "built-in/\($0.name).yaml", bytes: $0.bytes)
        }
    }

    /// The dialect that `name` stands for: a path that ends in `.yaml` or `.yml`, or the name of one
    /// beside the scenario or built in; each perhaps with `+PROFILE` after it.
    ///
    /// - Parameter folder: where `NAME.yaml` is looked for first, and what relative paths start from.
    /// - Throws: what is wrong with the file, or, if there is none, what exists.
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

    /// The text of the dialect that `name` stands for, whatever is wrong with it, and the profile that
    /// was asked for; see ``find(_:beside:)``.
    public static func source(
        _ name: String, beside folder: String? = nil
    ) throws(Diagnosed) -> (source: SourceText, profile: String?, isBuiltIn: Bool) {
        let (base, profile) = parts(of: name)
        if isPath(base) { return (try file(at: path(base, folder), shown: base), profile, false) }
        if isIdentifier(base), let folder {
            let beside = path("\(base).yaml", folder)
            if FileManager.default.fileExists(atPath: beside) {
                return (try file(at: beside, shown: beside), profile, false)
            }
        }
        guard let source = builtInSource(base) else { throw notFound(base, folder) }
        return (source, profile, true)
    }

    /// Built-in dialects that have been read, by name and profile: there are only so many.
    private static let builtIns = Mutex<[String: DialectFile]>([:])

    /// What could be named: the files of the folder, then what is built in.
    public static func listings(beside folder: String? = nil) -> [DialectListing] {
        let beside = namesBeside(folder).map { name in
            let path = path("\(name).yaml", folder)
            return listing(name, try? file(at: path, shown: path), path: path)
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
        // Tests read every profile of those that come with this program.
        let outcome = DialectReader.read(source, profile: profile, others: !builtIn)
        guard let dialect = outcome.dialect else { throw Diagnosed(outcome.diagnostics) }
        return DialectFile(
            source: source, dialect: dialect, profiles: outcome.profiles, isBuiltIn: builtIn)
    }

    /// `irc+ngircd` is `irc` with the profile `ngircd`.
    private static func parts(of name: String) -> (base: String, profile: String?) {
        guard let plus = name.lastIndex(of: "+") else { return (name, nil) }
        let profile = String(name[name.index(after: plus)...])
        // A plus in a path, as in `c++/x.yaml`, is none.
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

    private static func file(at path: String, shown: String) throws(Diagnosed) -> SourceText {
        do {
            let bytes = try TextFile.read(path, bytesMax: YamlReader.fileBytesMax)
            return SourceText(path: shown, bytes: bytes)
        } catch {
            let path = escapedForDisplay(path)
            throw Diagnosed(
                error.reason == .missing
                    ? Diagnostic(.error, .notFound, "there is no dialect file \(path)")
                    : Diagnostic(
                        .error, .unreadable, "the dialect file \(path) cannot be read: \(error)"))
        }
    }

    private static func notFound(_ name: String, _ folder: String?) -> Diagnosed {
        let beside = namesBeside(folder)
        var fault = Diagnostic(.error, .notFound, "no dialect `\(shortened(name))`")
        let known = beside + builtInNames
        if let meant = didYouMean(name, among: known) {
            fault = fault.help("did you mean `\(meant)`?")
        }
        fault = fault.note("built in: \(builtInNames.joined(separator: ", "))")
        if !beside.isEmpty {
            fault = fault.note("beside the scenario: \(beside.joined(separator: ", "))")
        }
        return Diagnosed(
            fault.help("a dialect of your own is named by its file: \(shortened(name)).yaml"))
    }

    /// The names of the dialect files in a folder, sorted.
    private static func namesBeside(_ folder: String?) -> [String] {
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
    /// Whether a dialect is not there or cannot be read, rather than wrong.
    package var isMissingDialect: Bool {
        !diagnostics.isEmpty
            && diagnostics.allSatisfy { [.notFound, .unreadable].contains($0.code) }
    }
}
