import ChatModel
import NIOCore

extension ChatClient {
    typealias Begin =
        @Sendable (ClientDriver, RequestID, @escaping ClientDriver.Waiter) -> Void

    /// Starts a request and passes its result to `reply`.
    ///
    /// - Returns: the request's id; nil if the request failed immediately, in which case `reply`
    ///   has already been called.
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

    /// Starts a request that sends one line.
    func begin<Value: Sendable>(
        _ command: some ChatCommand, _ reply: Reply<Value>, message: OwnMessage? = nil,
        _ value: @escaping @Sendable (ChatAnswer) -> Value
    ) {
        let line: OutgoingLine
        do {
            line = try codec.line(command)
        } catch {
            return reply.give(.failure(error))
        }
        begin(reply, value) { driver, id, waiter in
            let kind: PendingRequest.Kind = message.map { .message(id, $0) } ?? .command(id)
            driver.request(line, kind, id, waiter)
        }
    }

    /// Waits for the result of the request started by `begin`. Cancelling the task ends the wait.
    func wait<Value: Sendable>(
        _ begin: (Reply<Value>) -> RequestID?
    ) async throws(ChatError) -> Value {
        let slot = ReplySlot<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let reply = Reply<Value> { continuation.resume(returning: $0) }
                let id = begin(reply)
                slot.set(reply, id)
            }
        } onCancel: {
            slot.cancel { id in
                eventLoop.execute { [driver] in driver.value.abandon(id) }
            }
        }
        return try result.get()
    }

    /// Sends a command and waits until the server has processed it.
    func ask<Value: Sendable>(
        _ command: some ChatCommand, message: OwnMessage? = nil,
        _ value: @escaping @Sendable (ChatAnswer) -> Value
    ) async throws(ChatError) -> Value {
        try await wait { reply in
            begin(command, reply, message: message, value)
            return nil
        }
    }
}
