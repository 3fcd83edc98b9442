import DialectModel
import Conformance
import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Results
import Runner
import Transport

/// Settings of a check, from the options of `check`.
struct CheckSetup {
    let subject: Subject
    let entries: [CatalogueEntry]
    let options: CheckOptions
    let isStrict: Bool
    /// At least one.
    let servers: [CheckServer]
    /// Fuzzing instead of checks.
    let fuzzing: CheckFuzzing?
    /// The dialect, for the built-in server.
    let dialect: Dialect

    /// - Parameter baseline: the baseline to compare with; its dialect and seed are defaults.
    init(_ command: CheckCommand, baseline: CheckBaseline? = nil) throws(CommandFailure) {
        let target = command.target
        let name = try Self.dialectName(target, baseline)
        let file = try DialectFile.asked(for: name)
        dialect = file.dialect
        servers = try CommandFailure.usage { () throws(Diagnosed) in
            try CheckServer.all(target, port: file.dialect.port)
        }
        for server in servers where server.command == nil {
            try server.endpoint?.checkPort(of: name)
        }
        subject = try Self.subject(file, name, command.execution)
        entries = try Self.entries(subject, command.selection)
        isStrict = command.execution.strict
        fuzzing = CheckFuzzing(command.execution)
        options = CheckOptions(
            seed: command.execution.seed ?? baseline?.seed ?? UInt64.random(in: 1...999_999),
            jobs: command.execution.jobs ?? 8, repetitions: command.execution.repetitions ?? 3,
            today: Self.today)
    }

    /// The options for one of the servers.
    func options(for server: CheckServer) -> CheckOptions {
        var options = options
        options.software = server.software.map { ($0.name, $0.version) }
        return options
    }

    private static func dialectName(
        _ target: CheckTargetOptions, _ baseline: CheckBaseline?
    ) throws(CommandFailure) -> String {
        if let name = target.dialect { return name }
        let named = try CommandFailure.usage { () throws(Diagnosed) in
            var names: [String] = []
            for text in target.server {
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
            help: "give --dialect irc, or --server irc://HOST")
    }

    private static func subject(
        _ file: DialectFile, _ name: String, _ execution: CheckExecutionOptions
    ) throws(CommandFailure) -> Subject {
        let given = try CommandFailure.usage { () throws(Diagnosed) in
            try RunVariables(environment: Environment.ofProcess, options: execution.variables)
                .values
        }
        do {
            var subject = try Subject(
                BoundDialect.of(file), name: name, variables: given)
            subject.playsSlow = execution.slow
            return subject
        } catch {
            throw CommandFailure(.unparsable, error)
        }
    }

    private static func entries(
        _ subject: Subject, _ selection: CheckSelectionOptions
    ) throws(CommandFailure) -> [CatalogueEntry] {
        do {
            return try Catalogue(subject).entries(only: selection.only, skip: selection.skip)
        } catch {
            throw CommandFailure(
                .usage, .badOption,
                "no check of this dialect matches `\(escapedForDisplay(error.pattern))`",
                help: "checks: \(error.known.joined(separator: ", ")); --list shows all")
        }
    }

    private static var today: String {
        String(Date().ISO8601Format().prefix(10))
    }
}
