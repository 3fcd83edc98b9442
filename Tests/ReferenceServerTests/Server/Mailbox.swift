import NIOCore
import Synchronization

/// The lines that a client was sent, for one reader.
final class Mailbox: Sendable {
    private struct State {
        /// What has come and is not taken yet.
        var bytes = ByteBuffer()
        var isEnded = false
        var reader: CheckedContinuation<String?, Never>?

        /// The next line. At the end, a part of a line is one too, so that a test sees it.
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

    /// The next line without its terminator; nil at the end of the stream.
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

    /// No more comes.
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
