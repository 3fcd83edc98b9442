/// A yes-or-no question to listeners, such as whether the user may log out.
///
/// ```swift
/// struct MayLogOut: Question {}
/// let editor = Listener<Notice>(named: "editor", weakly: view) { … }
///     .answering(MayLogOut.self, weakly: view) { @MainActor view, _ in !view.hasUnsentText }
/// ```
public protocol Question: Sendable {}

/// A closure that answers questions of one type. It returns nil if the listener's object has been
/// deallocated.
enum Answer: Sendable {
    typealias Handler = @Sendable (any Question) -> Bool?
    typealias IsolatedHandler = nonisolated(nonsending) @Sendable (any Question) async -> Bool?

    case plain(Handler)
    case isolated((any Actor)?, IsolatedHandler)
}

extension Listener {
    /// Returns a copy of the listener that also answers questions of a type.
    ///
    /// - Parameters:
    ///   - type: the type of question.
    ///   - executor: the executor that runs `answers`.
    ///   - answers: returns the answer.
    public func answering<Asked: Question>(
        _ type: Asked.Type, on executor: AnsweringExecutor,
        _ answers: @escaping @Sendable (Asked) -> Bool
    ) -> Listener {
        with(type, .plain { question in (question as? Asked).map(answers) })
    }

    /// Returns a copy of the listener that also answers questions of a type until `object` is
    /// deallocated.
    ///
    /// - Parameters:
    ///   - type: the type of question.
    ///   - object: passed to `answers`; it is not retained.
    ///   - executor: the executor that runs `answers`.
    ///   - answers: returns the answer.
    public func answering<Asked: Question, Object: AnyObject & Sendable>(
        _ type: Asked.Type, weakly object: Object, on executor: AnsweringExecutor,
        _ answers: @escaping @Sendable (Object, Asked) -> Bool
    ) -> Listener {
        with(
            type,
            .plain { [weak object] question in
                guard let object, let question = question as? Asked else { return nil }
                return answers(object, question)
            })
    }

    /// Returns a copy of the listener that also answers questions of a type.
    ///
    /// - Parameters:
    ///   - type: the type of question.
    ///   - answers: returns the answer; runs in its own isolation.
    public func answering<Asked: Question>(
        _ type: Asked.Type,
        _ answers: @escaping @isolated(any) @Sendable (Asked) async -> Bool
    ) -> Listener {
        with(
            type,
            .isolated(answers.isolation) { question in
                guard let question = question as? Asked else { return nil }
                return await answers(question)
            })
    }

    /// Returns a copy of the listener that also answers questions of a type until `object` is
    /// deallocated.
    ///
    /// - Parameters:
    ///   - type: the type of question.
    ///   - object: passed to `answers`; it is not retained.
    ///   - answers: returns the answer; runs in its own isolation.
    public func answering<Asked: Question, Object: AnyObject & Sendable>(
        _ type: Asked.Type, weakly object: Object,
        _ answers: @escaping @isolated(any) @Sendable (Object, Asked) async -> Bool
    ) -> Listener {
        with(
            type,
            .isolated(answers.isolation) { [weak object] question in
                guard let object, let question = question as? Asked else { return nil }
                return await answers(object, question)
            })
    }

    private func with<Asked: Question>(_ type: Asked.Type, _ answer: Answer) -> Listener {
        var listener = self
        listener.answers[ObjectIdentifier(type)] = answer
        return listener
    }
}

/// The executor that runs a synchronous answer closure.
public enum AnsweringExecutor: Sendable {
    /// The executor of the listener itself.
    case own
}
