import Conformance
import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Runner
import Transport

/// What the options of `check` amount to.
struct CheckSetup {
    let subject: Subject
    let entries: [CatalogueEntry]
    let options: CheckOptions
    let isStrict: Bool
    /// Where the server listens; nil: the built-in one, or one that is started.
    let endpoint: Endpoint?
    let command: ServerCommand?
    let security: (any ConnectionSecurity)?
    let software: Software?
    /// The dialect, for the built-in server.
    let dialect: Dialect

    /// - Parameter pinned: what the server is held against; its seed is used where none is given.
    init(_ command: CheckCommand, pinned: CheckLock? = nil) throws(CommandFailure) {
        let target = command.target
        let given = try Self.usage { () throws(Diagnosed) -> Endpoint? in
            try target.server.map { text throws(Diagnosed) in try Endpoint(parsing: text) }
        }
        guard let name = target.dialect ?? given?.dialect ?? pinned?.dialect else {
            throw CommandFailure(
                .usage, .badOption, "which dialect is to be checked?",
                help: "name it: --dialect irc, or --server irc://HOST")
        }
        let file = try DialectFile.asked(for: name)
        dialect = file.dialect
        endpoint = given?.withDefaultPort(file.dialect.port)
        if target.exec == nil { try endpoint?.checkPort(of: name) }
        subject = try Self.subject(file, name, command.playing)
        entries = try Self.entries(subject, command.selection)
        self.command = try Self.usage { () throws(Diagnosed) in
            let started = target.exec.map { ServerCommand($0, endpoint: given) }
            try started?.check()
            return started
        }
        software = try Self.usage { () throws(Diagnosed) in
            try target.software.map { text throws(Diagnosed) in try Software(parsing: text) }
        }
        security = try Self.usage { () throws(Diagnosed) in
            try RunSetup.security(target, given)
        }
        isStrict = command.playing.strict
        options = CheckOptions(
            seed: command.playing.seed ?? pinned?.seed ?? UInt64.random(in: 1...999_999),
            jobs: command.playing.jobs ?? 8, repetitions: command.playing.repetitions ?? 3,
            software: software.map { ($0.name, $0.version) }, today: Self.today)
    }

    private static func usage<Result>(
        _ body: () throws(Diagnosed) -> Result
    ) throws(CommandFailure) -> Result {
        do {
            return try body()
        } catch {
            throw CommandFailure(.usage, error)
        }
    }

    private static func subject(
        _ file: DialectFile, _ name: String, _ playing: CheckPlayingOptions
    ) throws(CommandFailure) -> Subject {
        let given: [String: [UInt8]]
        do {
            given = try RunVariables(
                environment: Environment.ofProcess, options: playing.variables
            ).values
        } catch {
            throw CommandFailure(.usage, error)
        }
        do {
            return try Subject(file.dialect, source: file.source, name: name, variables: given)
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
                "`\(escapedForDisplay(error.pattern))` is no check of this dialect",
                help: "there are: \(error.known.joined(separator: ", ")); --list shows all")
        }
    }

    private static var today: String {
        String(Date().ISO8601Format().prefix(10))
    }
}
