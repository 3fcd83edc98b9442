import CEpoll
import Glibc
import LineProtocol

/// A read from a socket.
struct SocketRead {
    /// Index of the operator or scenario run.
    var index: Int
    var socket: Int32
    /// Offset of the bytes in the buffer.
    var offset: Int
    /// Number of bytes, or a negative error number.
    var count: Int
    /// Time after the read, in nanoseconds on the monotonic clock.
    var time: Int64
}

/// Waiting for events, and reading from sockets.
///
/// Several sockets are read before what they received is handled: system calls displace the code and
/// the branch history of the program from the processor's caches, so handling it takes much longer
/// right after a system call.
extension LoadWorker {
    mutating func wait(until time: Int64?, _ now: Int64) {
        let longest = Self.waitNanosecondsMax
        let wait = min(max((time ?? .max) - now, 0), longest)
        if let eventLoops {
            for event in eventLoops.wait(nanoseconds: wait) { take(event) }
            return
        }
        let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
            unsafe lj_poll_wait(set, buffer.baseAddress, wait)
        }
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            take(ready[index])
            guard reads.count == Self.groupMax || input.isFull else { continue }
            handleReads()
            // Reading from hundreds of sockets takes milliseconds. Due actions need not wait for it,
            // and an operator that acts again at once does so while the kernel's data about its
            // connection is still in the processor's cache.
            if count == LJ_READY_MAX { sendDue(atMost: Self.groupMax) }
        }
        handleReads()
    }

    private mutating func take(_ event: lj_ready) {
        guard event.tag < Self.lingeringTag else {
            drain(Int32(event.tag - Self.lingeringTag))
            return
        }
        let index = Int(event.tag)
        // In the steady state no operator is connecting, so the lookup is skipped.
        if !connecting.isEmpty, connecting[index] != nil {
            finishConnect(index)
            return
        }
        if event.events & UInt32(LJ_WRITABLE) != 0 { flush(index) }
        if event.events & UInt32(LJ_READABLE | LJ_HANGUP) != 0 {
            read(index, event.events)
        }
    }

    private mutating func read(_ index: Int, _ events: UInt32) {
        let socket = sockets[index]
        guard socket >= 0 else { return }
        // Checked first, because a call of a nonmutating method copies this large struct.
        if !paced.isEmpty, isPacedReader(index) {
            // A slow reader reads on its own schedule; only the end of its connection is handled
            // here.
            guard events & UInt32(LJ_HANGUP) != 0 else { return }
            pool.closed(index, byReset: lj_socket_error(socket) != 0, at: lj_now())
            carryOut()
            return
        }
        let offset = input.used
        let count = input.read(socket)
        input.keep(max(count, 0))
        reads.append(
            SocketRead(index: index, socket: socket, offset: offset, count: count, time: lj_now()))
        // The kernel reports only new data. After a read that is shorter than the buffer, there is
        // nothing left except for the end of the connection, or data after urgent data.
        let mayHaveMore =
            count > 0
            ? events & UInt32(LJ_HANGUP | LJ_URGENT) != 0 || count == ReadBuffer.readBytesMax
            : SocketResult.isTemporary(count) && count != -Int(EAGAIN)
        if mayHaveMore { monitor(index) }
    }

    private mutating func handleReads() {
        for position in reads.indices {
            let read = reads[position]
            // Handling an earlier read may have closed the connection, and opened another one that
            // may have the same number.
            guard sockets[read.index] == read.socket,
                connecting.isEmpty || connecting[read.index] == nil
            else { continue }
            if read.count > 0 {
                let bytes = unsafe input.bytes(at: read.offset, read.count)
                unsafe receive(bytes.span, read.index, at: read.time)
            } else if read.count == 0 {
                closed(read.index, byReset: resets.contains(read.index), at: read.time)
            } else if !SocketResult.isTemporary(read.count) {
                closed(read.index, byReset: read.count == -Int(ECONNRESET), at: read.time)
            }
            carryOut()
        }
        reads.removeAll(keepingCapacity: true)
        input.removeAll()
    }

    /// Passes received bytes to their operator or scenario run.
    mutating func receive(_ bytes: Span<UInt8>, _ index: Int, at now: Int64) {
        if index < pool.count {
            pool.receive(bytes, index, at: now)
        } else {
            scenarioPool?.receive(bytes, index - pool.count, at: now)
        }
    }

    mutating func closed(_ index: Int, byReset: Bool, at now: Int64) {
        if index < pool.count {
            pool.closed(index, byReset: byReset, at: now)
        } else {
            closeSocket(index)
            scenarioPool?.closed(index - pool.count, byReset: byReset, at: now)
        }
    }
}
