import ChatModel
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Transport

/// Driver of a client's state machine: runs it on one event loop and carries out its actions.
final class ClientDriver {
    typealias Waiter = @Sendable (Result<ChatAnswer, ChatError>) -> Void

    let eventLoop: any EventLoop
    private let options: ChatClientOptions
    private let connector: ClientConnector
    private let shared: ClientShared
    private var machine: ClientMachine
    private var waiters: [RequestID: Waiter] = [:]
    private var actions: [ClientAction] = []
    private var isCarryingOut = false
    private var channel: (any Channel)?
    private var connectionCount = 0
    /// The task that waits for the router; nil if none is waiting. It is cancelled when the
    /// router's answer is no longer needed.
    private var routing: Task<Void, Never>?
    private var timer: Scheduled<Void>?
    private var timerDeadline = Int64.max

    init(
        _ codec: ChatCodec, _ options: ChatClientOptions, _ connector: ClientConnector,
        _ shared: ClientShared, _ eventLoop: any EventLoop
    ) {
        self.options = options
        self.connector = connector
        self.shared = shared
        self.eventLoop = eventLoop
        machine = ClientMachine(
            codec, options, seed: UInt64.random(in: .min ... .max))
    }

    private var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    // MARK: Requests

    func logIn(_ account: ChatAccount, _ id: RequestID, _ waiter: @escaping Waiter) {
        waiters[id] = waiter
        step { [now] machine, actions in machine.logIn(account, id, at: now, &actions) }
    }

    func logOut(_ id: RequestID, _ waiter: @escaping Waiter) {
        waiters[id] = waiter
        step { [now] machine, actions in machine.logOut(id, at: now, &actions) }
    }

    func request(
        _ line: OutgoingLine, _ kind: PendingRequest.Kind, _ id: RequestID,
        _ waiter: @escaping Waiter
    ) {
        waiters[id] = waiter
        step { [now] machine, actions in machine.request(line, kind, at: now, &actions) }
    }

    func note(chat: Int, isIn: Bool) { machine.note(chat: chat, isIn: isIn) }

    func abandon(_ id: RequestID) {
        step { machine, actions in machine.abandon(id, &actions) }
    }

    func close() {
        step { machine, actions in machine.close(&actions) }
        timer?.cancel()
        timer = nil
    }

    // MARK: The connection

    func received(_ bytes: Span<UInt8>, on number: Int) {
        guard number == connectionCount else { return }
        machine.received(bytes, at: now, wallClock: wallClock(), &actions)
        carryOut()
    }

    func disconnected(_ reason: String, on number: Int) {
        guard number == connectionCount else { return }
        channel = nil
        step { [now] machine, actions in machine.disconnected(reason, at: now, &actions) }
    }

    private func connect(_ account: ChatAccount) {
        connectionCount += 1
        let number = connectionCount
        let (future, routing) = connector.connect(account, on: eventLoop) {
            ClientConnectionHandler(self, number: number)
        }
        self.routing = routing
        future.assumeIsolated().whenComplete { outcome in
            switch outcome {
            case .success(let (channel, account)): self.connected(channel, as: account, number)
            case .failure(let error): self.connectFailed(error, number)
            }
        }
    }

    private func connected(_ channel: any Channel, as account: ChatAccount, _ number: Int) {
        guard number == connectionCount, channel.isActive else {
            channel.close(promise: nil)
            if number == connectionCount {
                disconnected("the server closed the connection", on: number)
            }
            return
        }
        self.channel = channel
        step { [now] machine, actions in machine.connected(as: account, at: now, &actions) }
    }

    private func connectFailed(_ error: any Error, _ number: Int) {
        guard number == connectionCount else { return }
        step { [now] machine, actions in
            machine.connectFailed("\(error)", at: now, &actions)
        }
    }

    // MARK: Actions

    private func step(_ body: (inout ClientMachine, inout [ClientAction]) -> Void) {
        body(&machine, &actions)
        carryOut()
    }

    /// Carries out all actions in order, including the actions that result from them.
    private func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        while !actions.isEmpty {
            let batch = actions
            actions.removeAll(keepingCapacity: true)
            for action in batch { carryOut(action) }
        }
        isCarryingOut = false
        channel?.flush()
        schedule()
    }

    private func carryOut(_ action: ClientAction) {
        switch action {
        case .connect(let account): connect(account)
        case .write(let bytes): write(bytes)
        case .close:
            // Increase the count, so that later events from this connection are ignored.
            connectionCount += 1
            routing?.cancel()
            channel?.flush()
            channel?.close(promise: nil)
            channel = nil
        case .finish(let id, let result): waiters.removeValue(forKey: id)?(result)
        case .emit(let event): shared.emit(event)
        case .warn(let text): options.logger.warning("\(text)")
        }
    }

    private func write(_ bytes: [UInt8]) {
        guard let channel else { return }
        guard shared.take(unsent: bytes.count, bytesMax: options.unsentBytesMax) else {
            let reason =
                "the server is not reading: more than \(options.unsentBytesMax) bytes are unsent"
            return disconnected(reason, on: connectionCount)
        }
        let shared = shared
        channel.write(ByteBuffer(bytes: bytes)).assumeIsolated().whenComplete { _ in
            shared.release(unsent: bytes.count)
        }
    }

    /// Sets the timer to the machine's next deadline. If the timer fires too early, it is set
    /// again.
    private func schedule() {
        guard let deadline = machine.deadline else { return }
        guard timer == nil || deadline < timerDeadline else { return }
        timer?.cancel()
        timerDeadline = deadline
        let time = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline)))
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerDeadline = .max
        step { [now] machine, actions in machine.passTime(to: now, &actions) }
    }
}
