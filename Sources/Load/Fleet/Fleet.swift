import CEpoll
import Foundation
package import Transport

/// How a fleet is driven.
package struct FleetOptions: Sendable {
    /// The most threads.
    package static let workersMax = 64
    /// How long the drain of a load that was stopped may take.
    static let stoppedDrain: Int64 = 500_000_000
    /// How long it is waited for what comes twice.
    static let drainLeast: Int64 = 250_000_000
    /// The time between everybody being there and the first arrival.
    static let startDelay: Int64 = 50_000_000

    /// Threads.
    package var workers = 1
    /// Over how long operators set out, in nanoseconds.
    package var ramp: Int64 = 0
    /// Before the measurement.
    package var warmup: Int64 = 0
    /// How long is measured.
    package var duration: Int64
    /// How long it is waited for what is under way in the end.
    package var drain: Int64 = 5_000_000_000
    /// How long a server may take to close after a logout.
    package var farewell: Int64 = 2_000_000_000
    /// Addresses of this machine that connections come from, in turn; empty: the system chooses.
    package var sources: [SocketAddress] = []
    /// Whether connections end with a reset.
    package var resetsOnClose = false
    /// Which part of the load this fleet makes.
    package var share = LoadShare()
    /// Before this time of the clock that never goes back nobody connects.
    package var connectAt: Int64 = 0
    /// What the load waits for once all operators are in their rooms.
    package var release = FleetRelease.ready

    /// Options for a load of so many nanoseconds.
    package init(duration: Int64) { self.duration = duration }
}

/// When a load begins whose operators are all in their rooms.
package enum FleetRelease: Sendable, Hashable {
    /// At once.
    case ready
    /// At a time of the clock that never goes back, or at once if that is over.
    case at(Int64)
    /// When somebody else sets the time in the watch.
    case byOthers
}

/// Thousands of operators over real sockets.
package struct Fleet: Sendable {
    private let plan: FleetPlan
    private let options: FleetOptions
    private let address: SocketAddress
    private let endpoint: Endpoint
    private let security: (any ConnectionSecurity)?
    private let usesEventLoops: Bool

    /// A fleet that plays against a server.
    ///
    /// - Parameters:
    ///   - security: what makes connections secure, where the endpoint asks for that.
    ///   - usesEventLoops: serves even plain connections by event loops instead of sockets of our own.
    package init(
        _ plan: FleetPlan, _ options: FleetOptions, against endpoint: Endpoint,
        security: (any ConnectionSecurity)? = nil, usesEventLoops: Bool = false
    ) throws {
        self.plan = plan
        self.options = options
        self.endpoint = endpoint
        self.security = security
        self.usesEventLoops = usesEventLoops || endpoint.isSecure
        address = try SocketAddress(endpoint)
    }

    /// Plays the load and says what was found out.
    package func run(_ watch: LoadMonitor) async -> OperatorPool.Report {
        await Self.wait(until: options.connectAt, watch)
        return await withTaskGroup(of: OperatorPool.Report.self) { group in
            for worker in 0..<options.workers {
                group.addTask { await self.run(worker, watch) }
            }
            group.addTask {
                await Self.release(watch, options.release)
                return OperatorPool.Report()
            }
            var report = OperatorPool.Report()
            for await part in group { report.merge(part) }
            return report
        }
    }

    private func run(_ worker: Int, _ watch: LoadMonitor) async -> OperatorPool.Report {
        await onThread("load-\(worker)") {
            var worker = LoadWorker(
                plan, options, address, watch, worker: worker,
                remotes: usesEventLoops
                    ? RemoteConnections(to: endpoint, security: security) : nil)
            return worker.run()
        }
    }

    /// Once all workers have all operators where they should be, the load begins everywhere at once.
    static func release(_ watch: LoadMonitor, _ release: FleetRelease) async {
        if release == .byOthers { return }
        while !watch.isSetUp, !watch.isStopped, !watch.isAborted {
            try? await Task.sleep(for: lookInterval)
        }
        let soonest = lj_now() + FleetOptions.startDelay
        guard case .at(let time) = release else {
            watch.start = soonest
            return
        }
        watch.startLateness = max(0, soonest - time)
        watch.start = max(soonest, time)
    }

    /// Between two looks at whether something has happened.
    static let lookInterval = Duration.milliseconds(5)

    /// Waits for a time of the clock that never goes back, unless there is to be no load after all.
    static func wait(until time: Int64, _ watch: LoadMonitor) async {
        while lj_now() < time, !watch.isStopped, !watch.isAborted {
            let rest = min(time - lj_now(), waitMax)
            try? await Task.sleep(for: .nanoseconds(max(rest, 0)))
        }
    }

    private static let waitMax: Int64 = 20_000_000
}

/// Does something on a thread of its own, because it waits for nothing but its sockets.
func onThread<Outcome: Sendable>(
    _ name: String, _ body: @escaping @Sendable () -> Outcome
) async -> Outcome {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }
}
