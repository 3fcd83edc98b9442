import Transport
import Glibc
import NIOCore
import NIOPosix
import Scenario
import Session

extension SessionLoop where Machine: ~Copyable {
    // MARK: Actions

    func send(_ bytes: [UInt8], _ connection: Connection) {
        guard let channel = connection.channel, !connection.isHalfClosed else { return }
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).assumeIsolated().whenFailure { error in
            if isReset(error) { connection.sawReset = true }
        }
    }

    /// Holds back what is written, or lets it go. A Unix socket has no segments to hold.
    func setCork(_ isOn: Bool, _ connection: Connection) {
        guard case .host = context.endpoint.address else { return }
        let cork = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_CORK))
        do {
            try connection.channel?.syncOptions?.setOption(cork, value: isOn ? 1 : 0)
        } catch {
            if connection.phase == .open, !connection.isClosedByPeer {
                remark("a write could not be held back: \(error)")
            }
        }
    }

    /// Stops reading, with as little room for what comes as the kernel grants, or goes on with it.
    func setReading(_ isReading: Bool, _ connection: Connection) {
        guard let channel = connection.channel else { return }
        if !isReading {
            channel.setOption(.socketOption(.so_rcvbuf), value: 4_096)
                .assumeIsolated().whenFailure { self.remark("the room is as it was: \($0)") }
        }
        channel.setOption(.autoRead, value: isReading).assumeIsolated().whenFailure { error in
            // There is nothing to read any more where the other side has closed already.
            if let error = error as? ChannelError, error == .ioOnClosedChannel { return }
            self.remark("reading \(isReading ? "does not go on" : "goes on"): \(error)")
        }
    }

    func halfClose(_ connection: Connection) {
        guard !connection.isHalfClosed else { return }
        connection.isHalfClosed = true
        connection.channel?.close(mode: .output, promise: nil)
    }

    /// Ends our direction and drops what still arrives until the peer has closed too, or for a time.
    func close(_ id: ConnectionID, drainingFor time: Int64) {
        guard let connection = connections[id] else { return }
        switch connection.phase {
        case .connecting: discard(connection)
        case .gone: break
        case .draining: setDrainTimer(time, connection)
        case .open:
            connection.phase = .draining
            setReading(true, connection)
            setDrainTimer(time, connection)
            endOutput(connection)
        }
    }

    private func endOutput(_ connection: Connection) {
        guard let channel = connection.channel else { return discard(connection) }
        guard connection.isClosedByPeer else {
            if !connection.isHalfClosed { channel.close(mode: .output, promise: nil) }
            return
        }
        // Nothing more can arrive. The empty write comes back when all before it has been written.
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { _ in
            self.discard(connection)
        }
    }

    /// A shorter time replaces a longer one that was set before, not the other way round.
    private func setDrainTimer(_ time: Int64, _ connection: Connection) {
        let deadline = NIODeadline.now() + .nanoseconds(time)
        if let timer = connection.drainTimer {
            guard connection.drainDeadline > deadline else { return }
            timer.cancel()
        }
        connection.drainDeadline = deadline
        connection.drainTimer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            // A server that reads by edges can miss a FIN that came together with data. A second
            // FIN will never come, but a reset it cannot miss: no ghost outlives its scenario.
            self.reset(connection)
        }
    }

    /// Closes with RST.
    func abort(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        reset(connection)
    }

    /// A socket that lingers for no time throws away what it holds, and says so with RST.
    private func reset(_ connection: Connection) {
        guard let socket = connection.channel as? any SocketOptionProvider,
            case .host = context.endpoint.address
        else { return discard(connection) }
        connection.phase = .draining
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated()
            .whenComplete { _ in self.discard(connection) }
    }

    // MARK: What happens

    func peerClosed(_ connection: Connection, isWhole: Bool) {
        switch connection.phase {
        case .connecting: connection.isClosedEarly = true
        case .gone: break
        case .draining: discard(connection)
        case .open: tellClosed(connection, isWhole: isWhole)
        }
    }

    private func tellClosed(_ connection: Connection, isWhole: Bool) {
        if !connection.isClosedByPeer {
            connection.isClosedByPeer = true
            tell(.closed(connection.id, connection.sawReset ? .reset : .fin))
        }
        if isWhole, connection.phase == .open { discard(connection) }
    }

    func failed(_ error: any Error, _ connection: Connection) {
        if isReset(error) {
            connection.sawReset = true
        } else if connection.phase == .open, !connection.isClosedByPeer {
            let failure = ConnectFailure(
                error, endpoint: context.endpoint, timeout: limits.connectTimeout)
            remark(failure.reason)
        }
    }

    private func remark(_ text: String) {
        guard remarks.count < TransportLimits.remarksMax, !remarks.contains(text) else { return }
        remarks.append(text)
    }
}
