import Glibc
import Synchronization

/// A small IRC server on real sockets that serves a number of connections correctly and then fails.
package final class FailingServer: Sendable {
    /// The way the server fails.
    package enum Failure: String, Sendable, CaseIterable {
        /// Accepts connections but answers nothing.
        case wedges
        /// Stops and closes all connections.
        case dies
        /// Writes to all clients without end.
        case floods
    }

    private struct State {
        /// The open sockets. A closed one must not be used again: its number may already be that of
        /// another socket of this process.
        var listener: Int32?
        var connections: Set<Int32> = []
        var count = 0
        var isOver = false
    }

    package let port: Int
    private let failure: Failure
    private let healthyConnections: Int
    private let state = Mutex(State())

    /// Starts a server on a free port.
    ///
    /// - Parameter count: number of connections that are served correctly.
    package init?(_ failure: Failure, after count: Int) {
        self.failure = failure
        healthyConnections = count
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        state.withLock { $0.listener = listener }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound, listen(listener, 128) == 0 else { return nil }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.start { [self] in accept(listener) }
    }

    /// Stops the server and closes all connections.
    package func stop() {
        state.withLock { state in
            state.isOver = true
            for socket in state.connections { shutdown(socket, Int32(SHUT_RDWR)) }
            if let listener = state.listener { shutdown(listener, Int32(SHUT_RDWR)) }
        }
    }

    private var isHealthy: Bool { state.withLock { $0.count <= healthyConnections } }
    private var isOver: Bool { state.withLock { $0.isOver } }

    private func accept(_ listener: Int32) {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let isLast = state.withLock { state in
                state.count += 1
                state.connections.insert(connection)
                return failure == .dies && state.count > healthyConnections
            }
            if isLast { stop() }
            if isOver { shutdown(connection, Int32(SHUT_RDWR)) }
            Thread.start { [self] in serve(connection) }
        }
        state.withLock { state in
            state.listener = nil
            close(listener)
        }
    }

    private func serve(_ connection: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var rest: [UInt8] = []
        while !isOver {
            if !isHealthy, failure == .floods {
                guard
                    write("NOTICE you :" + String(repeating: "x", count: 400) + "\r\n", connection)
                else { break }
                continue
            }
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                guard isHealthy else { continue }
                guard write(answer(line.filter { $0 != "\r" && $0 != "\r\n" }), connection) else {
                    break
                }
            }
        }
        shutdown(connection, Int32(SHUT_RDWR))
        // With unread data, the connection would be reset.
        while unsafe recv(connection, &buffer, buffer.count, 0) > 0 {}
        state.withLock { state in
            state.connections.remove(connection)
            close(connection)
        }
    }

    private func answer(_ line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        let last = words.last.map { $0.drop { $0 == ":" } } ?? ""
        switch words.first?.uppercased() {
        case nil, "PONG": return ""
        case "USER": return words.count > 4 ? "" : ":s 461 x USER :Not enough\r\n"
        case "NICK": return words.count > 1 ? ":s 001 \(last) :Welcome\r\n" : ":s 431 x :No\r\n"
        case "PING": return words.count > 1 ? ":s PONG s :\(last)\r\n" : ":s 409 x :No\r\n"
        default: return ":s 421 x \(words[0]) :Unknown command\r\n"
        }
    }

    private func write(_ text: String, _ connection: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe bytes.isEmpty
            || send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

/// Minimal threads without Foundation.
private enum Thread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            pointer in
            if let pointer = unsafe pointer {
                unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
            }
            return nil
        }
        unsafe pthread_create(&thread, nil, run, work)
        pthread_detach(thread)
    }
}
