import MetricsEndpoint

/// What has happened since a server's start.
struct ServerTally {
    var connections = 0
    var turnedAway = 0
    var lines = 0
    var linesTooMany = 0
    var refusals = 0
    var texts = 0
    var deliveries = 0
    var slowReaders = 0
}

/// The server's numbers in Prometheus' text exposition format.
struct MetricsPage {
    private var metrics = MetricsText(prefix: "linejudge_server_")

    var text: String { metrics.text }

    init(_ counts: ServerCounts, _ tally: ServerTally, _ faults: FaultInjector) {
        add("connections", .gauge, "Open connections.", counts.connections)
        add("sessions", .gauge, "Sessions that are logged in.", counts.sessions)
        add("rooms", .gauge, "Rooms that somebody is in.", counts.chats)
        add("connections_total", .counter, "Connections that were let in.", tally.connections)
        add(
            "connections_turned_away_total", .counter,
            "Connections for which there was no place.", tally.turnedAway)
        add("lines_total", .counter, "Lines that clients have sent.", tally.lines)
        add("lines_too_many_total", .counter, "Lines over the rate limit.", tally.linesTooMany)
        add("refusals_total", .counter, "Requests that were refused.", tally.refusals)
        add("texts_total", .counter, "Texts that were relayed.", tally.texts)
        add("deliveries_total", .counter, "Lines sent to others.", tally.deliveries)
        add(
            "slow_readers_total", .counter, "Clients cut because they did not read.",
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
            "faults_total", .counter, "Faults that were committed on demand.",
            faults.counts.map { fault, count in
                MetricsText.Sample(labels: [("fault", fault.rawValue)], value: "\(count)")
            })
    }
}
