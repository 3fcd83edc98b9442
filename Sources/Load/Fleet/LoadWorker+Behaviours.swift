import CEpoll
import Glibc

/// An operator whose read or write rate is limited.
struct PacedOperator: Sendable {
    var index: Int
    var bytesPerSecond: Double
    var isReader: Bool
    /// Number of bytes that the operator may read or write now.
    var credit = 0.0
    /// Bytes still to be written.
    var writing: [UInt8] = []
    var lastTime: Int64
}

/// Socket handling for misbehaving operators.
extension LoadWorker {
    /// First event tag for sockets that are being closed.
    static let lingeringTag: UInt32 = 0x8000_0000
    /// Maximum time that a closing socket is drained, in nanoseconds.
    static let lingerNanoseconds: Int64 = 5_000_000_000
    /// Maximum credit a rate-limited operator can accumulate, in seconds at its rate.
    static let savedSecondsMax = 1.0

    func isPacedReader(_ index: Int) -> Bool {
        index < pool.count && pool.behaviour(of: index)?.role == .slowReader && pool.isReady(index)
    }

    static func setReceiveBuffer(_ socket: Int32, _ bytes: Int) {
        var size = Int32(clamping: bytes)
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Starts an operator's misbehaviour after its setup.
    mutating func settle(_ index: Int) {
        guard let behaviour = pool.behaviour(of: index), sockets[index] >= 0 else { return }
        switch behaviour.role {
        case .slowReader, .slowWriter:
            let isReader = behaviour.role == .slowReader
            paced.append(
                PacedOperator(
                    index: index, bytesPerSecond: behaviour.bytesPerSecond, isReader: isReader,
                    lastTime: lj_now()))
            // A slow reader's connection is polled only to detect when it ends.
            if isReader {
                if eventLoops == nil {
                    monitor(index)
                } else {
                    loopConnections[index]?.pauseReading()
                }
            }
        case .halfClosed: halfCloseSocket(index)
        case .ordinary, .silent, .mute, .reconnecting: break
        }
    }

    /// Lets rate-limited operators read or write as much as their credit allows.
    mutating func pace(at now: Int64) {
        for pacedIndex in paced.indices {
            let index = paced[pacedIndex].index
            guard sockets[index] >= 0, pool.isReady(index) else { continue }
            let rate = paced[pacedIndex].bytesPerSecond
            let credit =
                paced[pacedIndex].credit + Double(now - paced[pacedIndex].lastTime) / 1e9 * rate
            paced[pacedIndex].lastTime = now
            paced[pacedIndex].credit = min(credit, max(rate * Self.savedSecondsMax, 1))
            guard paced[pacedIndex].credit >= 1 else { continue }
            if paced[pacedIndex].isReader {
                readSome(pacedIndex)
            } else {
                writeSome(pacedIndex, at: now)
            }
        }
    }

    private mutating func readSome(_ pacedIndex: Int) {
        let index = paced[pacedIndex].index
        let wanted = min(Int(paced[pacedIndex].credit), ReadBuffer.readBytesMax)
        if eventLoops != nil {
            loopConnections[index]?.readSome(wanted)
            return
        }
        let count = input.read(sockets[index], atMost: wanted)
        if count > 0 {
            paced[pacedIndex].credit -= Double(count)
            let bytes = unsafe input.bytes(at: input.used, count)
            unsafe pool.receive(bytes.span, index, at: lj_now())
        } else if !SocketResult.isTemporary(count) {
            pool.closed(index, byReset: count != 0, at: lj_now())
        }
        carryOut()
    }

    private mutating func writeSome(_ pacedIndex: Int, at now: Int64) {
        let index = paced[pacedIndex].index
        if paced[pacedIndex].writing.isEmpty {
            paced[pacedIndex].writing = pool.slowWrite(index, at: now)
        }
        let count = min(Int(paced[pacedIndex].credit), paced[pacedIndex].writing.count)
        send(paced[pacedIndex].writing.prefix(count), index)
        paced[pacedIndex].writing.removeFirst(count)
        paced[pacedIndex].credit -= Double(count)
    }

    // MARK: Leaving

    /// Closes an operator's connection gracefully: the socket is closed once the server has closed
    /// its side, or after a timeout.
    mutating func leave(_ index: Int, _ halfCloses: Bool) {
        let socket = sockets[index]
        guard socket >= 0 else { return }
        if pending.removeValue(forKey: index) != nil { pool.lostUnsent(index) }
        if eventLoops != nil {
            loopConnections[index]?.leave(halfCloses: halfCloses)
            loopConnections[index] = nil
            sockets[index] = -1
            return
        }
        sockets[index] = -1
        if halfCloses { shutdown(socket, Int32(SHUT_WR)) }
        linger(socket)
    }

    /// Drains a socket and then closes it. Closing a socket with unread data would send a reset.
    mutating func linger(_ socket: Int32) {
        lingering[socket] = lj_now() + Self.lingerNanoseconds
        pollLingering(socket)
    }

    private func pollLingering(_ socket: Int32) {
        _ = lj_poll_change(
            set, socket, Self.lingeringTag | UInt32(socket), UInt32(LJ_READABLE))
    }

    mutating func drain(_ socket: Int32) {
        guard lingering[socket] != nil else { return }
        let count = input.read(socket)
        if count > 0 || SocketResult.isTemporary(count) {
            pollLingering(socket)
            return
        }
        lingering[socket] = nil
        close(socket)
    }

    /// Resets closing connections that the server did not close in time.
    mutating func endLingering(at now: Int64) {
        for (socket, deadline) in lingering where deadline <= now {
            lingering[socket] = nil
            lj_reset_on_close(socket)
            close(socket)
        }
    }
}
