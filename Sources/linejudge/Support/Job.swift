import Glibc
import Results

/// Work that a signal can end early, with helpers that show how far it has come.
enum Job {
    private enum Event<Value: Sendable>: Sendable {
        case done(Value)
        case signal(Int32?)
        case helperEnded
    }

    /// Does the work until it is done or a signal comes.
    ///
    /// - Parameters:
    ///   - helpers: what runs along with the work; it is cancelled when the work is done.
    ///   - stop: how a signal ends the work; nil: the work's task is cancelled.
    /// - Returns: the work's value, and the first signal that came.
    static func run<Value: Sendable>(
        until interruptions: Interruptions, helpers: [@Sendable () async -> Void],
        stop: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () async -> Value
    ) async -> (value: Value, signal: Int32?) {
        await withTaskGroup(of: Event<Value>.self) { group in
            group.addTask { .done(await work()) }
            group.addTask { .signal(await interruptions.next()) }
            for helper in helpers {
                group.addTask {
                    await helper()
                    return .helperEnded
                }
            }
            var value: Value?
            var signal: Int32?
            for await event in group {
                switch event {
                case .done(let result):
                    value = result
                    group.cancelAll()
                case .signal(let number?):
                    signal = number
                    if let stop { stop() } else { group.cancelAll() }
                case .signal(nil), .helperEnded: break
                }
            }
            guard let value else { preconditionFailure("the work of a job has a value") }
            return (value, signal)
        }
    }
}

/// A signal that ended a job.
extension Int32 {
    /// The word for it in results.
    var interruption: String { self == SIGTERM ? "terminated" : "interrupted" }

    /// How the process ends because of it. After a broken pipe all is well: nobody reads on.
    var ending: Ending {
        switch self {
        case SIGTERM: .terminated
        case SIGPIPE: .ok
        default: .interrupted
        }
    }
}
