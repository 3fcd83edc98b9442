package import Capture
package import Load

/// Gathers what a conversation's times came to, for the reports that loads have.
package struct TimedCapture: LatencyTaker, Sendable {
    private var times: CapturedTimes
    private var servers: Set<Endpoint> = []
    /// Of more servers it is only told that they are many.
    private static let serversMax = 64

    /// Nothing yet of these measures.
    package init(_ measures: [TimedMeasure]) {
        times = CapturedTimes(measures: measures.map { ($0.name, $0.command) })
    }

    /// A connection to this server said something.
    package mutating func met(_ server: Endpoint) {
        if servers.count < Self.serversMax { servers.insert(server) }
    }

    /// The server, or how many there are.
    package var server: String {
        guard servers.count == 1, let one = servers.first else {
            return servers.count < Self.serversMax
                ? counted(servers.count, "server") : "many servers"
        }
        return one.text
    }

    /// Something that will be answered was asked or said.
    package mutating func asked(at time: Int64) { times.asked(at: time) }

    /// What the measure at this place took, over at `time`.
    package mutating func took(_ nanoseconds: Int64, _ measure: Int, at time: Int64) {
        times.took(nanoseconds, measure, at: time)
    }

    /// The results, of a capture of this name.
    package func results(
        toolVersion: String, name: String, dialect: String, _ counts: CaptureCounts
    ) -> LoadResults {
        times.results(
            toolVersion: toolVersion, server: server, dialect: dialect,
            LoadResults.Capture(
                name: name, packets: counts.packets.packets,
                connections: counts.streams.connections, lines: counts.conversation.lines,
                broken: counts.conversation.broken, missingBytes: counts.streams.missingBytes))
    }
}
