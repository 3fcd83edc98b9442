public import ChatModel
import Foundation
public import LineProtocol

/// A property wrapper for arguments that contain JSON. Foundation encodes and decodes the value.
///
/// ```swift
/// struct Connect: ChatCommand {
///     @JSONArgument var options: Options?
/// }
/// ```
/// The value is nil if the argument is missing or empty.
@propertyWrapper
public struct JSONArgument<Value: Codable & Sendable>: CommandArgument {
    /// Maximum length of the JSON text, in bytes.
    public static var bytesMax: Int { 1_048_576 }

    /// The decoded value; nil if the argument is missing or empty.
    public var wrappedValue: Value?

    /// Creates a property with a value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Returns true for JSON and text arguments.
    public static func fits(_ type: ArgumentType) -> Bool { type == .json || type == .text }

    /// A property whose value is nil.
    public static var empty: JSONArgument { JSONArgument(wrappedValue: nil) }

    /// Decodes the argument's JSON.
    ///
    /// - Throws: `ArgumentMismatch` if the argument is not JSON, does not match `Value` or is
    ///   longer than ``bytesMax``.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        guard let bytes = argument.textBytes else { throw ArgumentMismatch("expected JSON") }
        guard !bytes.isEmpty else {
            wrappedValue = nil
            return
        }
        guard bytes.count <= Self.bytesMax else {
            throw ArgumentMismatch(
                "JSON of \(bytes.count) bytes exceeds the limit of \(Self.bytesMax) bytes")
        }
        do {
            wrappedValue = try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw ArgumentMismatch("invalid JSON: \(Self.explain(error))")
        }
    }

    /// The value as JSON. Keys are sorted, so that equal values produce equal lines. The argument
    /// is empty if the value is nil or cannot be represented in JSON, such as infinity.
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
            return "\(path(context)) is not a valid \(type)"
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
    /// The bytes of a text argument, or no bytes if it is missing; nil for arguments of other
    /// types.
    var textBytes: [UInt8]? {
        switch self {
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes): bytes
        case .absent: []
        default: nil
        }
    }
}
