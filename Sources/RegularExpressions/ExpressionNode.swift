/// The syntax tree of a regular expression.
indirect enum ExpressionNode: Sendable, Equatable {
    case scalar(ScalarSet)
    case assertion(Assertion)
    case sequence([ExpressionNode])
    case alternatives([ExpressionNode])
    /// A repetition; `maximum` is nil if there is no upper limit.
    case repetition(ExpressionNode, minimum: Int, maximum: Int?)
}

/// A condition on a position in the text.
enum Assertion: Sendable, Equatable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary

    /// Returns true if the condition holds between two scalars. A scalar is nil at the start or end
    /// of the text.
    func holds(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
        switch self {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .lineStart: before == nil || before == "\n"
        case .lineEnd: after == nil || after == "\n"
        case .wordBoundary: isBoundary(before, after)
        case .noWordBoundary: !isBoundary(before, after)
        }
    }

    private func isBoundary(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
        func isWord(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map(ScalarProperty.word.holds) ?? false
        }
        return isWord(before) != isWord(after)
    }
}
