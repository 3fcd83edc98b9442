import NIOCore
import Synchronization

/// The lines sent to a client, for one reader.
final class Mailbox: Sendable {
    private struct State {
        /// Received bytes that have not been read.
        var bytes = ByteBuffer()
        var isEnded = false
        var reader: CheckedContinuation<String?, Never>?

        /// Returns the next line with its terminator. At the end of the stream an unfinished line
        /// is returned, too, so that tests see it.
        mutating func line() -> String? {
            let view = bytes.readableBytesView
            if let end = view.firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes.readString(length: end - view.startIndex)
                bytes.moveReaderIndex(forwardBy: 1)
                return line
            }
            guard isEnded, !view.isEmpty else { return nil }
            return bytes.readString(length: view.count).map { $0 + " (unterminated)" }
        }
    }

    private let state = Mutex(State())

    /// Returns the next line without its terminator; nil at the end of the stream.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            let answer: String?? = state.withLock { state in
                if let line = state.line() { return .some(line) }
                if state.isEnded { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func append(_ bytes: ByteBuffer) {
        let waiting = state.withLock { state -> (CheckedContinuation<String?, Never>, String)? in
            state.bytes.discardReadBytes()
            var bytes = bytes
            state.bytes.writeBuffer(&bytes)
            guard let reader = state.reader, let line = state.line() else { return nil }
            state.reader = nil
            return (reader, line)
        }
        if let (reader, line) = waiting { reader.resume(returning: line) }
    }

    /// Marks the end of the stream.
    func end() {
        let waiting = state.withLock { state -> (CheckedContinuation<String?, Never>, String?)? in
            state.isEnded = true
            guard let reader = state.reader else { return nil }
            state.reader = nil
            return (reader, state.line())
        }
        if let (reader, line) = waiting { reader.resume(returning: line) }
    }
}
