import Diagnostics
import DialectFiles
package import Results

extension TLSKeys {
    /// Returns the secrets in a key log file, to which those in captures are added; without a file,
    /// only those. Returns nil if this build cannot decrypt.
    package static func keys(in path: String?) throws(CommandFailure) -> TLSKeys? {
        guard TLSCipher.isAvailable else {
            guard path != nil else { return nil }
            throw CommandFailure(
                .usage, "transport.no-tls", "--keys requires TLS, which this program lacks",
                help: "build it with the TLS trait, which is on by default: swift build")
        }
        let keys = TLSKeys()
        guard let path else { return keys }
        let name = escapedForDisplay(path)
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, bytesMax: logBytesMax)
        } catch {
            throw CommandFailure(.noInput, .noFile, "cannot read `\(name)`: \(error)")
        }
        guard bytes.count <= logBytesMax else {
            throw CommandFailure(
                .unparsable, "capture.bad-keys",
                "`\(name)` is larger than \(logBytesMax >> 20) MiB, the limit for key logs")
        }
        if let problem = keys.add(file: bytes) {
            // An excerpt would show secrets.
            throw CommandFailure(
                .unparsable, "capture.bad-keys", "\(name):\(problem.line): \(problem.text)",
                help: "a key log is the file that SSLKEYLOGFILE names when a TLS program runs")
        }
        guard keys.fileSessions > 0 else {
            throw CommandFailure(
                .unparsable, "capture.bad-keys", "`\(name)` contains no TLS secrets",
                help: "expected lines such as `CLIENT_TRAFFIC_SECRET_0 RANDOM SECRET`")
        }
        return keys
    }

    /// Notes about secrets that were not used or are invalid.
    var diagnostics: [Diagnostic] {
        var notes = problems.map {
            Diagnostic(
                .warning, "capture.bad-keys",
                "the TLS secrets in the capture are incomplete: line \($0.line) of a secrets block: "
                    + $0.text)
        }
        let (all, unused) = (fileSessions, unusedFileSessions)
        if unused == all, all > 0 {
            notes.append(
                Diagnostic(
                    .warning, "capture.unused-keys",
                    "no decoded connection belongs to a session of the key log"
                ).help("the key log must have been written while the traffic was captured"))
        } else if unused > 0 {
            notes.append(
                Diagnostic(
                    .note, "capture.unused-keys",
                    "\(counted(unused, "session")) of \(all) in the key log "
                        + "\(unused == 1 ? "belongs" : "belong") to no decoded connection"))
        }
        return notes
    }
}
