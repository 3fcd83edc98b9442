import Console
import Glibc
import Synchronization

/// Output of a server under test. The end of the output is kept in memory. The output is also
/// written to the log file, if any, up to ``ServerCommand/logBytesMax`` bytes.
package final class ServerOutput: Sendable {
    private struct State {
        /// Ring buffer with the last bytes. Once it is full, `next` is the index of the oldest
        /// byte.
        var ring: [UInt8] = []
        var next = 0
        var log: CInt = -1
        var logged = 0
        /// The unfinished last line. A secret in it is recognised only when it is complete.
        var unlogged: [UInt8] = []
    }

    /// Maximum length of a line that is logged as a whole, in bytes.
    private static let lineBytesMax = 65_536

    private let state: Mutex<State>
    private let bytesMax: Int

    init(bytesMax: Int = ServerCommand.outputBytesMax, logPath: String? = nil) {
        self.bytesMax = bytesMax
        var state = State()
        if let logPath {
            state.log = unsafe open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        }
        self.state = Mutex(state)
    }

    /// The last bytes of output, in order.
    package var tail: [UInt8] {
        state.withLock { state in
            Array(state.ring[state.next...]) + Array(state.ring[..<state.next])
        }
    }

    /// Returns up to `count` non-empty lines from the end of the output.
    package func lastLines(_ count: Int) -> [[UInt8]] {
        let lines = tail.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        return lines.suffix(count).map(Array.init)
    }

    func append(_ bytes: [UInt8]) {
        state.withLock { state in
            for byte in bytes.suffix(bytesMax) {
                if state.ring.count < bytesMax {
                    state.ring.append(byte)
                } else {
                    state.ring[state.next] = byte
                    state.next = (state.next + 1) % bytesMax
                }
            }
            guard state.log >= 0, state.logged < ServerCommand.logBytesMax else { return }
            state.unlogged += bytes
            if state.unlogged.count > Self.lineBytesMax {
                Self.log(state.unlogged.count, &state)
            } else if let end = state.unlogged.lastIndex(of: UInt8(ascii: "\n")) {
                Self.log(end + 1, &state)
            }
        }
    }

    /// Writes the first bytes that have not been logged to the log file, with secrets masked.
    private static func log(_ count: Int, _ state: inout State) {
        let masked = Redaction.masked(Array(state.unlogged.prefix(count)))
        state.unlogged.removeFirst(count)
        let kept = Array(masked.prefix(ServerCommand.logBytesMax - state.logged))
        state.logged += kept.count
        try? OutputFile.writeAll(kept, to: state.log)
    }

    func close() {
        state.withLock { state in
            if state.log >= 0 {
                Self.log(state.unlogged.count, &state)
                _ = Glibc.close(state.log)
            }
            state.log = -1
        }
    }
}
