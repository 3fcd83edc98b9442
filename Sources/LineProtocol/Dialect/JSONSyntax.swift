/// The syntax of lines that are JSON objects (RFC 8259), one object per line.
///
/// Arguments are members of the body: the whole object, or the part that ``Form`` specifies.
public struct JSONSyntax: Sendable, Hashable {
    /// The part of the object that identifies the command.
    public var form: Form
    /// True if the first value counts when an object has the same key twice, false if the last one
    /// does, as in most JSON libraries.
    public var firstWins: Bool

    /// Creates a JSON syntax.
    public init(form: Form = .key(["type"]), firstWins: Bool = false) {
        self.form = form
        self.firstWins = firstWins
    }

    /// The part of the object that identifies the command.
    public enum Form: Sendable, Hashable {
        /// The value at a path: `{"type":"join","room":"x"}`.
        case key(JSONPath)
        /// The only key of the object, whose value is the body: `{"join":{"room":"x"}}`.
        case onlyKey
        /// JSON-RPC 2.0: the value of `method`, or the word `result` or `error` in an answer. The
        /// body is the value of `params`, `result` or `error`.
        case rpc
    }

    /// Returns an argument's path within the body; nil if the argument is not in the body.
    public func path(of argument: ArgumentSignature) -> JSONPath? {
        switch argument.position {
        case .key(let key): JSONPath(key) ?? JSONPath(steps: [key])
        // The transaction ID of JSON-RPC is outside the body.
        case .correlation: form == .rpc ? nil : [argument.name]
        default: nil
        }
    }

    /// The maximum depth of nested objects and arrays. Deeper values are invalid.
    public static let depthMax = 128
}

/// A path from an object to one of its values, made up of keys and array indices.
public struct JSONPath: Sendable, Hashable {
    /// The keys and indices. An empty path leads to the object itself.
    public let steps: [[UInt8]]

    /// The maximum number of steps.
    public static let stepsMax = 16

    /// Creates a path from its steps.
    public init(steps: [[UInt8]]) { self.steps = steps }

    /// Parses a path such as `user.name`; `.` is the empty path. Returns nil if a step is empty or
    /// the path has too many steps.
    public init?(_ text: [UInt8]) {
        if text == [ASCII.dot] {
            steps = []
            return
        }
        let parts = text.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard parts.count <= Self.stepsMax, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        steps = parts.map { Array($0) }
    }

    /// The path as written in dialect files.
    public var text: [UInt8] {
        steps.isEmpty ? [ASCII.dot] : Array(steps.joined(separator: [ASCII.dot]))
    }

    /// Returns the array index that a step represents; nil if the step does not consist of one to
    /// four digits.
    package static func index(_ step: [UInt8]) -> Int? {
        guard !step.isEmpty, step.count <= 4, step.allSatisfy(ASCII.isDigit) else { return nil }
        return step.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }
}

extension JSONPath: ExpressibleByArrayLiteral {
    /// Creates a path from its keys.
    public init(arrayLiteral keys: String...) {
        steps = keys.map { Array($0.utf8) }
    }
}

/// Keys used in JSON-RPC 2.0 messages.
package enum JSONRPC {
    package static let version = Array("jsonrpc".utf8)
    package static let method = Array("method".utf8)
    package static let params = Array("params".utf8)
    package static let id = Array("id".utf8)
    /// The key of the body in a successful answer.
    package static let result = Array("result".utf8)
    package static let error = Array("error".utf8)
}
