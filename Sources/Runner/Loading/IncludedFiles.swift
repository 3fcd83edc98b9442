import Diagnostics
import DialectFiles
import FoundationEssentials
import Scenario

extension ScenarioFile {
    /// Reads the files in `include` lines, and the files that they include in turn.
    ///
    /// - Throws: All errors, each located in the file that contains it.
    mutating func readIncludes() throws(Diagnosed) {
        if header.includes.isEmpty { return }
        var reader = IncludedFiles(self)
        reader.read(self)
        reader.checkOperators(of: self)
        if !reader.problems.isEmpty { throw Diagnosed(reader.problems) }
        included = reader.fragments
    }
}

/// A reader for included files. Each file is read only once, no matter how often it is included.
private struct IncludedFiles {
    /// Maximum depth of nested includes.
    static let depthMax = 8
    /// Maximum number of files that a scenario may include, directly or indirectly.
    static let filesMax = 100

    private(set) var fragments: [IncludedFragment] = []
    private(set) var problems: [Diagnostic] = []
    /// Location of each fragment's definition, by name.
    private var names: [String: DiagnosticLocation] = [:]
    private var seen: Set<String> = []
    /// Paths of the files being read, outermost first.
    private var open: [String]

    init(_ file: ScenarioFile) {
        open = [Self.identity(of: file.source.path)]
        for fragment in file.fragments {
            names[fragment.name.text] = DiagnosticLocation(
                source: file.source, range: fragment.name.range, label: "first defined here")
        }
    }

    private static func identity(of path: String) -> String {
        URL(filePath: path).standardizedFileURL.path
    }

    /// Reads the files that a scenario or included file includes.
    mutating func read(_ file: ScenarioFile) {
        for name in file.header.includes {
            let location = DiagnosticLocation(source: file.source, range: name.range)
            let path = file.path(of: name.text)
            let identity = Self.identity(of: path)
            if let obstacle = obstacle(path, identity) {
                problems.append(
                    Diagnostic(.error, .badInclude, obstacle.message, at: location)
                        .help(obstacle.help))
                continue
            }
            guard seen.insert(identity).inserted else { continue }
            do {
                let bytes = try TextFile.read(
                    path, within: file.root(of: name.text), bytesMax: ScenarioLimits.fileBytesMax)
                open.append(identity)
                take(SourceText(path: path, bytes: bytes), from: location)
                open.removeLast()
            } catch {
                problems.append(
                    Diagnostic(
                        .error, .badInclude,
                        "cannot read `\(escapedForDisplay(path))`: \(error)", at: location
                    ).help("the path is relative to the including file's folder"))
            }
        }
    }

    /// Returns the reason a file cannot be included, with advice; nil if it can.
    private func obstacle(_ path: String, _ identity: String) -> (message: String, help: String)? {
        let name = "`\(escapedForDisplay(path))`"
        if !path.hasSuffix(".chat") {
            return ("\(name) is not a scenario file", "name it FILE.chat")
        }
        if open.contains(identity) {
            return ("\(name) includes itself", "move the shared fragments into a third file")
        }
        if open.count > Self.depthMax {
            return (
                "includes are nested more than \(Self.depthMax) levels deep",
                "include the file in the scenario itself"
            )
        }
        if seen.count >= Self.filesMax, !seen.contains(identity) {
            return (
                "a scenario may include at most \(Self.filesMax) files", "merge some of the files"
            )
        }
        return nil
    }

    private mutating func take(_ source: SourceText, from site: DiagnosticLocation) {
        var site = site
        site.label = "included here"
        let outcome = ScenarioParser.parse(source)
        problems += outcome.diagnostics.map { $0.related(site) }
        guard !outcome.diagnostics.hasErrors else { return }
        let file = outcome.file
        if let range = Self.foreignRange(in: file) {
            problems.append(
                Diagnostic(
                    .error, .badInclude, "only fragments can be included",
                    at: DiagnosticLocation(source: source, range: range)
                ).related(site).help(
                    "put steps in `fragment NAME { … }`, and other lines in the scenario"))
            return
        }
        for fragment in file.fragments { add(fragment, source, site) }
        read(file)
    }

    /// Returns the range of the first step or header line that is not allowed in an included file;
    /// nil if there is none. A `dialect` line is allowed, because the linter uses it.
    private static func foreignRange(in file: ScenarioFile) -> SourceRange? {
        let header = file.header
        let ranges: [SourceRange?] = [
            header.operators?.first?.range, header.tags.first?.range,
            header.citations.first?.range, header.stepTimeout?.range, header.fileTimeout?.range,
            header.settings.first?.name.range, header.secrets.first?.range, header.data?.range,
            header.knownFailures.first?.range, header.skips.first?.range,
            header.needs.first?.name.range,
            header.command?.range,
            file.steps.first?.range,
        ]
        return ranges.compactMap(\.self).min { $0.start < $1.start }
    }

    private mutating func add(
        _ fragment: Fragment, _ source: SourceText, _ site: DiagnosticLocation
    ) {
        let name = fragment.name
        if let first = names[name.text] {
            problems.append(
                Diagnostic(
                    .error, "scenario.duplicate-name",
                    "fragment `\(name.text)` is defined twice",
                    at: DiagnosticLocation(source: source, range: name.range)
                ).related(first).related(site))
            return
        }
        names[name.text] = DiagnosticLocation(
            source: source, range: name.range, label: "first defined here")
        fragments.append(IncludedFragment(fragment, source: source))
    }

    /// Reports operators that included fragments use but the scenario does not declare.
    mutating func checkOperators(of file: ScenarioFile) {
        guard let operators = file.header.operators?.map(\.text) else { return }
        for included in fragments {
            var unknown: [Name] = []
            included.fragment.steps.walk { step in
                var actors = [step.actor].compactMap(\.self)
                if case .use(let use) = step.kind { actors += use.operators }
                if case .sync(let others) = step.kind { actors += others }
                for case .named(let name) in actors where !operators.contains(name.text) {
                    unknown.append(name)
                }
            }
            for name in unknown.prefix(ScenarioLimits.errorsMax) {
                problems.append(
                    Diagnostic(
                        .error, "scenario.unknown-operator",
                        "`\(name.text)` is not one of the operators of "
                            + "`\(escapedForDisplay(file.source.path))`",
                        at: DiagnosticLocation(source: included.source, range: name.range)
                    ).help("remove the name from the fragment, and pass it with `use … as`"))
            }
        }
    }
}
