package import Diagnostics

extension TranscriptSink {
    /// Warnings about parts of the conversation that are missing from its scenario.
    package var warnings: [Diagnostic] {
        var notes: [Diagnostic] = []
        if comments > 0 {
            notes.append(
                Diagnostic(
                    .warning, "capture.incomplete-scenario",
                    "the scenario is incomplete in \(counted(comments, "place")), "
                        + "marked by comments"))
        }
        if silentConnections > 0 {
            notes.append(
                Diagnostic(
                    .note, "capture.silent-connections",
                    "omitted \(counted(silentConnections, "connection")) without lines"))
        }
        if servers.count > 1 {
            let names = servers.map(\.text).sorted().joined(separator: ", ")
            notes.append(
                Diagnostic(
                    .warning, "capture.several-servers",
                    "a scenario runs against one server, but the capture has several: \(names)"
                ).help("choose one with --port, or select connections with --connection"))
        }
        return notes
    }
}
