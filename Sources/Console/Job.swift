import Glibc
package import Results

/// Runner for work that a signal can end early, along with helper tasks such as a progress display.
package enum Job {
    private enum Event<Value: Sendable>: Sendable {
        case done(Value)
        case signal(Int32?)
        case helperEnded
    }

    /// Runs the work until it is done or a signal arrives.
    ///
    /// - Parameters:
    ///   - helpers: tasks that run in parallel with the work and are cancelled when it is done.
    ///   - stop: ends the work when a signal arrives; if nil, the task that does the work is
    ///     cancelled instead.
    /// - Returns: the result of the work, and the last signal that arrived, or nil.
    package static func run<Value: Sendable>(
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
            guard let value else { preconditionFailure("a finished job must have a value") }
            return (value, signal)
        }
    }
}

/// Results label and exit code of a job that was ended by the signal with this number.
extension Int32 {
    /// The signal's label in results files.
    package var interruption: String { self == SIGTERM ? "terminated" : "interrupted" }

    /// The exit code for the signal. A closed pipe is not an error.
    package var ending: ExitCode {
        switch self {
        case SIGTERM: .terminated
        case SIGPIPE: .ok
        default: .interrupted
        }
    }
}
