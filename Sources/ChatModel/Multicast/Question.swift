/// Something that listeners are asked and answer with yes or no, such as whether one may log out now.
///
/// ```swift
/// struct MayLogOut: Question {}
/// let editor = Listener<Notice>(named: "editor", weakly: view) { … }
///     .answering(MayLogOut.self, weakly: view) { @MainActor view, _ in !view.hasUnsentText }
/// ```
public protocol Question: Sendable {}

/// How a listener answers the questions of one type; nil: the object it was for is gone.
enum Answer: Sendable {
    typealias Given = @Sendable (any Question) -> Bool?
    typealias IsolatedGiven = nonisolated(nonsending) @Sendable (any Question) async -> Bool?

    case plain(Given)
    case isolated((any Actor)?, IsolatedGiven)
}

extension Listener {
    /// The listener, which also answers a question, with a plain function on its own executor.
    public func answering<Asked: Question>(
        _ type: Asked.Type, on executor: AnsweringExecutor,
        _ answers: @escaping @Sendable (Asked) -> Bool
    ) -> Listener {
        with(type, .plain { question in (question as? Asked).map(answers) })
    }

    /// The listener, which also answers a question for as long as somebody else holds the object.
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

    /// The listener, which also answers a question where the closure belongs.
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

    /// The listener, which also answers a question where the closure belongs, for as long as somebody else
    /// holds the object.
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

/// Where a plain function answers.
public enum AnsweringExecutor: Sendable {
    /// On the executor on which its listener is told of events.
    case own
}
