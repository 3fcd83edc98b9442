import ChatModel
import NIOCore

extension ChatClient {
    /// How a request begins on the event loop.
    typealias Begin =
        @Sendable (ClientDriver, RequestID, @escaping ClientDriver.Waiter) -> Void

    /// Begins a request. The reply is given by whatever ends it.
    ///
    /// - Returns: the request's number, or nil if it has not begun and the reply has been given.
    @discardableResult
    func begin<Value: Sendable>(
        _ reply: Reply<Value>, _ value: @escaping @Sendable (ChatAnswer) -> Value,
        _ begin: @escaping Begin
    ) -> RequestID? {
        guard !shared.isClosed else {
            reply.give(.failure(.closed))
            return nil
        }
        guard let id = shared.takeRequest(requestsMax: options.requestsMax) else {
            reply.give(.failure(.busy(requestsMax: options.requestsMax)))
            return nil
        }
        eventLoop.execute { [driver, shared] in
            begin(driver.value, id) { result in
                shared.releaseRequest()
                reply.give(result.map(value))
            }
        }
        return id
    }

    /// Begins a request that is one line.
    func begin<Value: Sendable>(
        _ command: some ChatCommand, _ reply: Reply<Value>, said: SaidText? = nil,
        _ value: @escaping @Sendable (ChatAnswer) -> Value
    ) {
        let line: OutgoingLine
        do {
            line = try words.line(command)
        } catch {
            return reply.give(.failure(error))
        }
        begin(reply, value) { driver, id, waiter in
            let kind: PendingRequest.Kind = said.map { .said(id, $0) } ?? .asked(id)
            driver.request(line, kind, id, waiter)
        }
    }

    /// Waits for the reply that `begin` leads to. A cancelled task waits no longer.
    func wait<Value: Sendable>(
        _ begin: (Reply<Value>) -> RequestID?
    ) async throws(ChatError) -> Value {
        let place = ReplySlot<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let reply = Reply<Value> { continuation.resume(returning: $0) }
                let id = begin(reply)
                place.set(reply, id)
            }
        } onCancel: {
            place.cancel { id in
                eventLoop.execute { [driver] in driver.value.abandon(id) }
            }
        }
        return try result.get()
    }

    /// Sends a command and waits until it has been dealt with.
    func ask<Value: Sendable>(
        _ command: some ChatCommand, said: SaidText? = nil,
        _ value: @escaping @Sendable (ChatAnswer) -> Value
    ) async throws(ChatError) -> Value {
        try await wait { reply in
            begin(command, reply, said: said, value)
            return nil
        }
    }
}
