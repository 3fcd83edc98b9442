import CEpoll
import Console
package import Transport

/// Settings for load generation, such as threads, phases and addresses.
package struct FleetOptions: Sendable {
    package static let workersMax = 64
    /// Drain time after the load test is stopped early, in nanoseconds.
    static let stoppedDrain: Int64 = 500_000_000
    /// Minimum drain time in nanoseconds, so that late duplicates are detected.
    static let drainMin: Int64 = 250_000_000
    /// Delay between the end of setup and the first arrival, in nanoseconds.
    static let startDelay: Int64 = 50_000_000

    package var workers = 1
    /// Ramp-up period for the operators' connections, in nanoseconds.
    package var ramp: Int64 = 0
    package var warmup: Int64 = 0
    package var duration: Int64
    /// Grace period for in-flight messages when the load test ends, in nanoseconds.
    package var drain: Int64 = 5_000_000_000
    /// Time limit for the server to close connections after logout, in nanoseconds.
    package var closeTimeout: Int64 = 2_000_000_000
    /// Local addresses to connect from, used in rotation; if empty, the system chooses one.
    package var sources: [SocketAddress] = []
    /// True to close connections with a reset.
    package var resetsOnClose = false
    /// This generator's share of the load test.
    package var share = LoadShare()
    /// Earliest monotonic time to connect.
    package var connectAt: Int64 = 0
    /// Condition for starting the load test once all operators are in their rooms.
    package var release = FleetRelease.ready

    /// Creates settings for a load test of `duration` nanoseconds.
    package init(duration: Int64) { self.duration = duration }
}

/// Condition for starting a load test once all operators are in their rooms.
package enum FleetRelease: Sendable, Hashable {
    /// No further condition: starts immediately.
    case ready
    /// Starts at a monotonic time, or immediately if that time has passed.
    case at(Int64)
    /// Starts when another process sets the monitor's start time.
    case byOthers
}

/// A fleet of simulated operators on real sockets.
package struct Fleet: Sendable {
    private let plan: FleetPlan
    private let options: FleetOptions
    private let address: SocketAddress
    private let endpoint: Endpoint
    private let security: (any ConnectionSecurity)?
    private let usesEventLoops: Bool

    /// Creates a fleet for a server.
    ///
    /// - Parameters:
    ///   - security: TLS, if the endpoint uses it.
    ///   - usesEventLoops: Whether to use event loops instead of raw sockets even without TLS.
    package init(
        _ plan: FleetPlan, _ options: FleetOptions, against endpoint: Endpoint,
        security: (any ConnectionSecurity)? = nil, usesEventLoops: Bool = false
    ) throws {
        self.plan = plan
        self.options = options
        self.endpoint = endpoint
        self.security = security
        self.usesEventLoops = usesEventLoops || endpoint.needsHandshake
        address = try SocketAddress(endpoint)
    }

    /// Runs the load test and returns its results.
    package func run(_ monitor: LoadMonitor) async -> WorkerReport {
        await Self.wait(until: options.connectAt, monitor)
        return await withTaskGroup(of: WorkerReport.self) { group in
            for worker in 0..<options.workers {
                group.addTask { await self.run(worker, monitor) }
            }
            group.addTask {
                await Self.release(monitor, options.release)
                return WorkerReport()
            }
            var report = WorkerReport()
            for await part in group { report.merge(part) }
            return report
        }
    }

    private func run(_ worker: Int, _ monitor: LoadMonitor) async -> WorkerReport {
        await onThread("load-\(worker)") {
            var worker = LoadWorker(
                plan, options, address, monitor, worker: worker,
                eventLoops: usesEventLoops
                    ? EventLoopConnections(to: endpoint, security: security) : nil)
            return worker.run()
        }
    }

    /// Sets the common start time once all workers' operators have finished setup.
    static func release(_ monitor: LoadMonitor, _ release: FleetRelease) async {
        if release == .byOthers { return }
        while !monitor.isSetUp, !monitor.isStopped, !monitor.isAborted {
            try? await Task.sleep(for: lookInterval)
        }
        let soonest = lj_now() + FleetOptions.startDelay
        guard case .at(let time) = release else {
            monitor.start = soonest
            return
        }
        monitor.startLateness = max(0, soonest - time)
        monitor.start = max(soonest, time)
    }

    /// Polling interval while waiting.
    static let lookInterval = Duration.milliseconds(5)

    /// Waits until a monotonic time, or until the load test is stopped or aborted.
    static func wait(until time: Int64, _ monitor: LoadMonitor) async {
        while lj_now() < time, !monitor.isStopped, !monitor.isAborted {
            let rest = min(time - lj_now(), waitMax)
            try? await Task.sleep(for: .nanoseconds(max(rest, 0)))
        }
    }

    private static let waitMax: Int64 = 20_000_000
}
