public import ChatModel
import Foundation
public import LineProtocol

/// A property that is written as JSON, read and written by Foundation.
///
/// ```swift
/// struct Connect: ChatCommand {
///     @JSONArgument var options: Options?
/// }
/// ```
/// It is nil where the argument is missing or empty.
@propertyWrapper
public struct JSONArgument<Value: Codable & Sendable>: CommandArgument {
    /// The longest text that is read, in bytes.
    public static var bytesMax: Int { 1_048_576 }

    /// What the JSON says.
    public var wrappedValue: Value?

    /// A property with a value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// JSON, and texts that hold it.
    public static func fits(_ type: ArgumentType) -> Bool { type == .json || type == .text }

    /// Nothing.
    public static var empty: JSONArgument { JSONArgument(wrappedValue: nil) }

    /// What the argument's JSON says, or where it is none.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        guard let bytes = argument.textBytes else { throw ArgumentMismatch("expected JSON") }
        guard !bytes.isEmpty else {
            wrappedValue = nil
            return
        }
        guard bytes.count <= Self.bytesMax else {
            throw ArgumentMismatch("\(bytes.count) bytes of JSON, \(Self.bytesMax) are read")
        }
        do {
            wrappedValue = try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw ArgumentMismatch("no such JSON: \(Self.explain(error))")
        }
    }

    /// The value's JSON, its keys in order so that equal values are equal lines; nothing for nil, or for what
    /// JSON cannot say, such as infinity.
    public var argument: ArgumentValue {
        guard let wrappedValue else { return .json([]) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(wrappedValue) else { return .json([]) }
        return .json(Array(data))
    }

    private static func explain(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context):
            return "\(path(context)) has no \"\(key.stringValue)\""
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(path(context)) is no \(type)"
        case .dataCorrupted(let context): return context.debugDescription
        @unknown default: return "\(error)"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return path.isEmpty ? "the value" : path.joined(separator: ".")
    }
}

extension JSONArgument: Equatable where Value: Equatable {}
extension JSONArgument: Hashable where Value: Hashable {}

extension ArgumentValue {
    /// The bytes of anything that is a text.
    var textBytes: [UInt8]? {
        switch self {
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes): bytes
        case .absent: []
        default: nil
        }
    }
}
