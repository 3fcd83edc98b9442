import Diagnostics
import DialectFiles
import Foundation
import Glibc
import LineProtocol
import Load
import Runner
import Transport

/// What the options of `load` amount to.
struct LoadSetup {
    /// Descriptors that are needed beside the sockets.
    static let descriptorsBeside = 64

    let dialect: Dialect
    let plan: FleetPlan
    let options: FleetOptions
    /// nil: the built-in server.
    let endpoint: Endpoint?

    init(_ command: LoadCommand) throws(CommandFailure) {
        let endpoint = try Self.endpoint(command.server)
        let name = command.dialect ?? endpoint?.dialect ?? BuiltInServer.dialectDefault
        if command.dialect == nil, let endpoint, endpoint.dialect == nil {
            throw CommandFailure(
                .usage, .badOption, "how does \(endpoint.place) speak?",
                help: "name its dialect: --dialect irc, or --server irc://\(endpoint.place)")
        }
        let file: DialectFile
        do {
            file = try DialectLibrary.find(name)
        } catch {
            throw CommandFailure(error.isMissingDialect ? .noInput : .unparsable, error)
        }
        dialect = file.dialect
        let complete = endpoint?.withDefaultPort(dialect.port)
        if let complete, !complete.isComplete {
            throw CommandFailure(
                .usage, .badOption, "\(complete.place) has no port, and \(name) names none",
                help: "write --server HOST:PORT")
        }
        self.endpoint = complete
        let playbook = try Self.playbook(file, command)
        plan = try Self.plan(playbook, command)
        options = Self.options(command, playbook)
        try Self.raiseDescriptors(to: command.shape.operators + Self.descriptorsBeside)
    }

    private static func endpoint(_ text: String?) throws(CommandFailure) -> Endpoint? {
        guard let text else { return nil }
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(parsing: text)
        } catch {
            throw CommandFailure(.usage, error)
        }
        if endpoint.isSecure {
            throw CommandFailure(
                .usage, .badOption, "a load cannot speak TLS yet",
                help: "let the server listen on a plain port as well")
        }
        return endpoint
    }

    private static func playbook(
        _ file: DialectFile, _ command: LoadCommand
    ) throws(CommandFailure) -> Playbook {
        do {
            return try Playbook(
                file.dialect, source: file.source, textBytes: command.shape.textBytes)
        } catch let error as Diagnosed {
            throw CommandFailure(.usage, error)
        } catch let error as PlaybookError {
            throw Self.failure(error)
        } catch {
            throw CommandFailure(.software, .internalError, "\(error)")
        }
    }

    private static func failure(_ error: PlaybookError) -> CommandFailure {
        CommandFailure(
            .usage, DiagnosticCode(stringLiteral: error.code.word), error.message,
            help: error.help)
    }

    private static func plan(
        _ playbook: Playbook, _ command: LoadCommand
    ) throws(CommandFailure) -> FleetPlan {
        let shape = command.shape
        let mix = try mix(playbook, shape.mix?.mix)
        for (action, _) in mix.weights where !playbook.actions.contains(action) {
            if let error = playbook.unsuitable[action] { throw failure(error) }
            let able = playbook.actions.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .usage, .badOption,
                "the dialect \(playbook.dialectName) has no behaviours for \(action.name)",
                help: able.isEmpty ? nil : "it can do: \(able)")
        }
        let model: LoadModel =
            shape.isClosed
            ? .closed(shape.think?.time ?? .constant(1_000_000_000))
            : .open(
                [
                    RateStage(
                        duration: command.time.durationNanoseconds,
                        rate: shape.rate?.perSecond ?? 100)
                ], shape.pace == .poisson ? .poisson : .constant)
        // Without rooms everybody hears everybody.
        let size = playbook.hasRooms ? shape.roomSize : shape.operators
        if size > RoomLayout.roomSizeMax {
            throw CommandFailure(
                .usage, .badOption,
                "\(playbook.dialectName) has no rooms, so that everybody hears everybody: at most "
                    + "\(RoomLayout.roomSizeMax) operators")
        }
        let seed = command.time.seed ?? UInt64.random(in: 1...999_999)
        return FleetPlan(
            playbook: playbook, model: model, mix: mix,
            layout: RoomLayout(operators: shape.operators, size: size), seed: seed,
            run: UInt32.random(in: 1...1_048_575),
            quantum: command.time.quantum,
            setupTimeout: command.time.loginTimeout?.nanoseconds ?? 30_000_000_000)
    }

    private static func mix(
        _ playbook: Playbook, _ asked: ActionMix?
    ) throws(CommandFailure) -> ActionMix {
        if let asked { return asked }
        guard
            let first = [LoadAction.say, .relay, .probe].first(where: {
                playbook.actions.contains($0)
            })
        else {
            if let error = playbook.unsuitable.values.first { throw failure(error) }
            throw CommandFailure(
                .usage, .badOption,
                "the dialect \(playbook.dialectName) has no behaviour that a load could use",
                help: "it needs say and heard, relay and arrival, or probe")
        }
        return ActionMix([(first, 1)])
    }

    private static func options(_ command: LoadCommand, _ playbook: Playbook) -> FleetOptions {
        let time = command.time
        var options = FleetOptions(duration: time.durationNanoseconds)
        options.workers = playbook.hasRooms ? time.workers : 1
        options.ramp = time.ramp?.nanoseconds ?? 0
        options.warmup = time.warmup?.nanoseconds ?? 0
        options.drain = time.drain?.nanoseconds ?? 5_000_000_000
        options.resetsOnClose = time.reset
        return options
    }

    /// As many files as the system lets this process have; too few is said before anything begins.
    private static func raiseDescriptors(to needed: Int) throws(CommandFailure) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < needed else { return }
        if limit.rlim_max >= needed {
            limit.rlim_cur = limit.rlim_max
            if unsafe setrlimit(kind, &limit) == 0 { return }
        }
        throw CommandFailure(
            .usage, .badOption,
            "this process may have \(limit.rlim_max) open files, and needs \(needed)",
            help: "raise the limit (ulimit -n \(needed)), or divide the load")
    }
}
