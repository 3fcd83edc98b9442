import HTTPEndpoint

/// Counters for the server's metrics page.
struct ServerTally {
    var connections = 0
    var rejected = 0
    var lines = 0
    var linesTooMany = 0
    var refusals = 0
    var texts = 0
    var deliveries = 0
    var slowReaders = 0
}

/// The server's metrics page, in the Prometheus text exposition format.
struct MetricsPage {
    private var metrics = MetricsText(prefix: "linejudge_server_")

    var text: String { metrics.text }

    init(_ counts: ServerCounts, _ tally: ServerTally, _ faults: FaultInjector) {
        add("connections", .gauge, "Open connections.", counts.connections)
        add("sessions", .gauge, "Logged-in sessions.", counts.sessions)
        add("rooms", .gauge, "Rooms with at least one member.", counts.chats)
        add("connections_total", .counter, "Connections accepted.", tally.connections)
        add(
            "connections_turned_away_total", .counter,
            "Connections turned away because the server was full.", tally.rejected)
        add("lines_total", .counter, "Lines received from clients.", tally.lines)
        add("lines_too_many_total", .counter, "Lines over the rate limit.", tally.linesTooMany)
        add("refusals_total", .counter, "Requests refused.", tally.refusals)
        add("texts_total", .counter, "Messages relayed.", tally.texts)
        add("deliveries_total", .counter, "Lines delivered to other clients.", tally.deliveries)
        add(
            "slow_readers_total", .counter, "Clients disconnected because they read too slowly.",
            tally.slowReaders)
        addFaults(faults)
    }

    private mutating func add(
        _ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: Int
    ) {
        metrics.add(name, kind, help, [MetricsText.Sample(value: "\(value)")])
    }

    private mutating func addFaults(_ faults: FaultInjector) {
        guard faults.isArmed else { return }
        metrics.add(
            "faults_total", .counter, "Injected faults.",
            faults.counts.map { fault, count in
                MetricsText.Sample(labels: [("fault", fault.rawValue)], value: "\(count)")
            })
    }
}
