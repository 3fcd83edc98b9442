import Diagnostics
import Results

extension DecodeSummary {
    /// Returns a line that describes the slice at `path`; nil if none was requested, or if it could
    /// not be written.
    package func sliceLine(_ path: String) -> String? {
        guard let slice = outcome.slice, slice.failure == nil else { return nil }
        let name = escapedForDisplay(path)
        if slice.isInterrupted { return "interrupted; `\(name)` was not written\n" }
        guard slice.packets > 0 else { return "no packets selected; `\(name)` was not written\n" }
        let packets = counted(slice.packets, "packet")
        let connections = counted(slice.connections, "connection")
        return "wrote \(packets) of \(connections) to `\(name)`\n"
    }

    /// Returns the warning that the first packets of connections are missing from a slice.
    static func incompleteSlice(_ connections: Int) -> Diagnostic {
        Diagnostic(
            .warning, "capture.incomplete-slice",
            "the first packets of \(counted(connections, "connection")) are missing from the slice: "
                + "they came more than \(SliceCollector.heldBytesMax >> 20) MiB before the first "
                + "selected line"
        ).help("pass the captures as files, which can be read twice")
    }
}
