import Console
import Diagnostics
import DialectFiles
import DialectModel
package import LineProtocol
package import Results
package import Runner
import Transport

/// Options for checks, as given on the command line.
package struct CheckRequest: Sendable {
    package var targets = CheckTargets()
    package var dialect: String?
    /// Variables given as `name=value`.
    package var variables = GivenVariables()
    package var only: [String] = []
    package var skip: [String] = []
    package var runsSlowChecks = false
    package var isStrict = false
    /// Seed; nil to use the baseline's seed, or a random one if there is no baseline.
    package var seed: UInt64?
    package var jobs = 8
    package var repetitions = 3
    /// Time budget for the checks of one server, in nanoseconds; nil for no limit.
    package var budget: Int64?
    /// Fuzzing settings; nil to run checks instead.
    package var fuzzing: CheckFuzzing?

    package init() {}
}

/// Settings for running checks, and the servers to check.
package struct CheckSetup: Sendable {
    package internal(set) var subject: Subject
    package internal(set) var entries: [CatalogueEntry]
    /// Findings from the survey that precedes the checks.
    var surveyFindings: [CheckResult] = []
    /// The dialect as loaded, before variables were applied.
    let bound: BoundDialect
    private let request: CheckRequest
    package internal(set) var options: CheckOptions
    package let isStrict: Bool
    /// The servers to check; at least one.
    package let servers: [CheckServer]
    /// Settings for fuzzing; nil to run checks instead.
    package let fuzzing: CheckFuzzing?
    /// Dialect of the reference server.
    package let dialect: Dialect

    /// Validates the request. If a baseline is given, its dialect and seed are the defaults.
    package init(_ request: CheckRequest, baseline: CheckBaseline? = nil) throws(CommandFailure) {
        let name = try Self.dialectName(request, baseline)
        let file = try DialectFile.requested(name)
        dialect = file.dialect
        servers = try CommandFailure.usage { () throws(Diagnosed) in
            try CheckServer.all(request.targets, port: file.dialect.port)
        }
        for server in servers where server.command == nil {
            try server.endpoint?.checkPort(of: name)
        }
        bound = BoundDialect.of(file)
        self.request = request
        subject = try Self.subject(bound, name, request)
        entries = try Self.entries(subject, request)
        isStrict = request.isStrict
        fuzzing = request.fuzzing
        options = CheckOptions(
            seed: request.seed ?? baseline?.seed ?? UInt64.random(in: 1...999_999),
            jobs: request.jobs, repetitions: request.repetitions, shrinks: request.repetitions > 0,
            today: .today, budget: request.budget)
    }

    /// Number of checks that apply to the dialect. Fuzzing counts as one.
    package var count: Int {
        guard fuzzing == nil else { return 1 }
        return entries.count { entry in
            if case .check = entry { true } else { false }
        }
    }

    /// Throws an error if behaviours send a variable that has no value. The reference server accepts
    /// any value, so it does not need one.
    package func requireVariables() throws(CommandFailure) {
        let missing = subject.missingVariables
        guard !missing.isEmpty,
            servers.contains(where: { $0.endpoint != nil || $0.command != nil })
        else { return }
        let names = listed(missing.map { "{{\($0)}}" }, "and")
        throw CommandFailure(
            .usage, .badOption,
            "the `\(subject.name)` dialect sends \(names), which \(missing.count == 1 ? "has" : "have") "
                + "no value",
            help: "pass " + missing.map { "--var \($0)=VALUE" }.joined(separator: " "))
    }

    /// Returns the options, including this server's software.
    package func options(for server: CheckServer) -> CheckOptions {
        var options = options
        options.software = server.software.map { ($0.name, $0.version) }
        return options
    }

    private static func dialectName(
        _ request: CheckRequest, _ baseline: CheckBaseline?
    ) throws(CommandFailure) -> String {
        if let name = request.dialect { return name }
        let named = try CommandFailure.usage { () throws(Diagnosed) in
            var names: [String] = []
            for text in request.targets.servers {
                guard let name = try Endpoint(parsing: text).dialect, !names.contains(name)
                else { continue }
                names.append(name)
            }
            return names
        }
        guard named.count < 2 else {
            throw CommandFailure(
                .usage, .badOption,
                "the servers speak different dialects: \(named.joined(separator: ", "))",
                help: "the same checks run against all servers; choose a dialect with --dialect")
        }
        if let name = named.first ?? baseline?.dialect { return name }
        throw CommandFailure(
            .usage, .badOption, "missing dialect",
            help: "pass --dialect irc or --server irc://HOST; `linejudge dialect list` lists the "
                + "dialects")
    }

    private static func subject(
        _ bound: BoundDialect, _ name: String, _ request: CheckRequest
    ) throws(CommandFailure) -> Subject {
        let given = try RunVariables(
            environment: Environment.ofProcess, given: request.variables)
        do {
            var subject = try Subject(
                bound, name: name, variables: given.values, secrets: given.secrets)
            subject.runsSlowChecks = request.runsSlowChecks
            Redaction.hide(subject.secrets.compactMap { subject.variables[$0] })
            return subject
        } catch {
            throw CommandFailure(.unparsable, error)
        }
    }

    /// Returns the subject for a different form of the dialect.
    func subject(for bound: BoundDialect) throws(CommandFailure) -> Subject {
        try Self.subject(bound, subject.name, request)
    }

    /// Returns the selected checks for a subject.
    func entries(for subject: Subject) throws(CommandFailure) -> [CatalogueEntry] {
        try Self.entries(subject, request)
    }

    private static func entries(
        _ subject: Subject, _ request: CheckRequest
    ) throws(CommandFailure) -> [CatalogueEntry] {
        do {
            return try Catalogue(subject).entries(only: request.only, skip: request.skip)
        } catch {
            let list = "checks: \(error.known.joined(separator: ", ")); --list shows all"
            throw CommandFailure(
                .usage, .badOption,
                "no check of this dialect matches `\(escapedForDisplay(error.pattern))`",
                help: error.pattern.contains(",")
                    ? "repeat the option for each check, as in --only frame --only esc" : list)
        }
    }
}
