import Diagnostics
import Load
import Report
import Results
import Runner

/// Parts of a load that several machines make.
extension LoadSetup {
    /// The longest that a load waits for its start: a day.
    static let startWaitMax: Int64 = 86_400_000_000_000

    /// Finds out which part this is, and on what all parts agree.
    mutating func takeShard(_ command: LoadCommand, seed: UInt64?) throws(CommandFailure) {
        guard let text = command.generator.shard else { return }
        let shard: Shard
        do {
            shard = try Shard(text, environment: Environment.ofProcess)
        } catch {
            throw CommandFailure(.usage, .badOption, error.message, help: error.help)
        }
        if !shard.share.isAll { try checkWhole(command) }
        self.shard = shard
        options.share = shard.share
        var agreed: Int64?
        if case .at(let time)? = command.time.startAt?.time { agreed = time }
        (plan.seed, plan.run) = shard.agreement(seed: seed, startAt: agreed)
    }

    /// What only a load that is all in one place can have.
    private func checkWhole(_ command: LoadCommand) throws(CommandFailure) {
        if endpoint == nil {
            throw CommandFailure(
                .usage, .badOption, "each shard would load a built-in server of its own",
                help: "name the server that all of them load, with --server")
        }
        if !command.thresholds.findRate.isEmpty {
            throw CommandFailure(
                .usage, .badOption,
                "--find-rate cannot be divided into shards: none of them knows whether a promise holds",
                help: "look for the rate with --processes on one machine")
        }
    }

    /// Finds out when texts begin, and whether that can be kept.
    mutating func takeStart(_ command: LoadCommand) throws(CommandFailure) {
        guard let asked = command.time.startAt?.time else { return }
        if !command.thresholds.findRate.isEmpty {
            throw CommandFailure(
                .usage, .badOption,
                "--find-rate makes many loads, and --start-at is when one begins",
                help: "leave one of them out")
        }
        let now = Clocks.now
        let time: Int64
        switch asked {
        case .at(let moment): time = moment
        case .after(let rest): time = now.wall + rest
        }
        let rest = time - now.wall
        try checkStart(in: rest)
        startsAt = time
        options.release = .at(now.steady + rest)
        // Before that nobody would have anything to do but keep alive.
        options.connectAt = now.steady + max(rest - options.ramp - plan.setupTimeout, 0)
    }

    private func checkStart(in rest: Int64) throws(CommandFailure) {
        let later = "agree on a later time, with time for every shard to start and connect"
        if rest < 0 {
            throw CommandFailure(
                .usage, .badOption, "--start-at was \(durationText(-rest)) ago", help: later)
        }
        if rest < options.ramp {
            throw CommandFailure(
                .usage, .badOption,
                "--start-at is in \(durationText(rest)), and operators connect over "
                    + "\(durationText(options.ramp)) before it", help: later)
        }
        if rest > Self.startWaitMax {
            throw CommandFailure(
                .usage, .badOption,
                "--start-at is in \(durationText(rest)); a load waits a day at most",
                help: "start it later")
        }
    }
}
