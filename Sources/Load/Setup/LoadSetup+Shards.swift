import Console
import Diagnostics
import Results

/// Divides a load test among several machines (sharding).
extension LoadSetup {
    /// Maximum time until the start set by `--start-at`: one day, in nanoseconds.
    static let startWaitMax: Int64 = 86_400_000_000_000

    /// Determines this machine's shard, and the seed and run number shared by all shards.
    mutating func takeShard(_ request: LoadRequest) throws(CommandFailure) {
        guard let text = request.shard else { return }
        let shard: Shard
        do {
            shard = try Shard(text, environment: Environment.ofProcess)
        } catch {
            throw CommandFailure(.usage, .badOption, error.message, help: error.help)
        }
        if !shard.share.isAll { try checkWhole(request) }
        self.shard = shard
        options.share = shard.share
        var agreed: Int64?
        if case .at(let time)? = request.startAt { agreed = time }
        (plan.seed, plan.run) = shard.agreement(seed: request.plan.seed, startAt: agreed)
    }

    /// Throws an error if an option is not supported with shards.
    private func checkWhole(_ request: LoadRequest) throws(CommandFailure) {
        if endpoint == nil {
            throw CommandFailure(
                .usage, .badOption,
                "--shard requires --server; otherwise each shard would test its own reference server",
                help: "give all shards the same --server")
        }
        if command != nil {
            throw CommandFailure(
                .usage, .badOption,
                "--shard and --exec cannot be used together; each shard would start its own server",
                help: "start the server yourself, and pass its address with --server")
        }
        if request.findsRate {
            throw CommandFailure(
                .usage, .badOption,
                "--find-rate does not support shards, because a shard alone cannot evaluate thresholds",
                help: "search with --processes on one machine")
        }
    }

    /// Determines the start time, and checks that there is enough time to get ready.
    mutating func takeStart(_ request: LoadRequest) throws(CommandFailure) {
        guard let startTime = request.startAt else { return }
        if request.findsRate {
            throw CommandFailure(
                .usage, .badOption,
                "--find-rate and --start-at cannot be used together",
                help: "remove one of them")
        }
        let now = Clocks.now
        let time: Int64
        switch startTime {
        case .at(let moment): time = moment
        case .after(let rest): time = now.wall + rest
        }
        let rest = time - now.wall
        try checkStart(in: rest)
        startsAt = time
        options.release = .at(now.steady + rest)
        // Connecting earlier would only keep idle connections open.
        options.connectAt = now.steady + max(rest - options.ramp - plan.setupTimeout, 0)
    }

    private func checkStart(in rest: Int64) throws(CommandFailure) {
        let later = "choose a later time, so that every shard can start and connect"
        if rest < 0 {
            throw CommandFailure(
                .usage, .badOption, "the --start-at time was \(durationText(-rest)) ago",
                help: later)
        }
        if rest < options.ramp {
            throw CommandFailure(
                .usage, .badOption,
                "the --start-at time is only \(durationText(rest)) away, but operators need "
                    + "\(durationText(options.ramp)) (--ramp) to connect", help: later)
        }
        if rest > Self.startWaitMax {
            throw CommandFailure(
                .usage, .badOption,
                "the --start-at time is \(durationText(rest)) away; the maximum is one day",
                help: "start the load test later")
        }
    }
}
