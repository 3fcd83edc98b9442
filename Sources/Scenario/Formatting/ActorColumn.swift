import Diagnostics

/// The column of operators, which is as wide as the longest name.
extension [Step] {
    /// Maximum width of the column. Longer names do not widen it.
    private static var actorWidthMax: Int { 16 }

    /// Width of the column, for these steps and those in their blocks.
    var actorWidth: Int {
        var width = 0
        walk { step in
            guard let word = step.actorWord else { return }
            let own = displayWidth(word)
            if own <= Self.actorWidthMax { width = Swift.max(width, own) }
        }
        return width
    }
}

extension Step {
    /// The word in the column; nil if the step has no operator or if `self` is only implied.
    var actorWord: String? {
        guard let actor else { return nil }
        if case .standingReply = kind { return nil }
        return actor.name ?? (actor.range.count > 0 ? "self" : nil)
    }
}
