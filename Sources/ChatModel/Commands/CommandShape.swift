import LineProtocol

/// The properties of a command type, discovered by decoding an instance from empty values.
struct CommandShape {
    /// A property's name and type.
    struct Property {
        var name: String
        var type: Any.Type
        var isOptional: Bool
    }

    private let command: String
    private(set) var properties: [Property] = []

    init<Command: ChatCommand>(_ type: Command.Type, _ signature: CommandSignature) {
        let recorder = ShapeRecorder(signature)
        command = type.name
        // A property whose type has no empty value, such as an enumeration, ends the discovery
        // early. The properties after it are looked up on first use.
        _ = try? Command(from: recorder)
        properties = recorder.properties
    }

    /// Throws an error if a non-optional property has no matching argument, or if a property's type
    /// does not fit its argument.
    func check(against signature: CommandSignature) throws(CommandError) {
        for property in properties {
            guard let index = signature.argumentIndex(of: property.name) else {
                if property.isOptional { continue }
                throw .notAnArgument(property.name, signature)
            }
            let argument = signature.arguments[index]
            guard Self.fits(property.type, argument) else {
                let type = argument.isList ? "a list" : "of type \(argument.type.name)"
                throw CommandError(
                    .typeMismatch, command: command, argument: property.name, position: index,
                    message: "the argument is \(type) in the dialect, so a property of type "
                        + "\(property.type) cannot hold it")
            }
        }
    }

    /// Returns whether a property type fits an argument. Unknown property types fit any argument.
    private static func fits(_ type: Any.Type, _ argument: ArgumentSignature) -> Bool {
        if type is any ListProperty.Type { return argument.isList || argument.type.isAnyBytes }
        if argument.isList { return !isScalar(type) }
        if let type = type as? any CommandArgument.Type { return type.fits(argument.type) }
        switch type {
        case is Bool.Type:
            if case .bool = argument.type { return true }
            return false
        case is String.Type:
            if case .choice = argument.type { return true }
            return argument.type.isAnyBytes
        case is any FixedWidthInteger.Type: return argument.type == .int
        case is any BinaryFloatingPoint.Type:
            return argument.type == .int || argument.type == .decimal
        default: return true
        }
    }

    private static func isScalar(_ type: Any.Type) -> Bool {
        type is Bool.Type || type is String.Type || type is any FixedWidthInteger.Type
            || type is any BinaryFloatingPoint.Type || type is any CommandArgument.Type
    }
}

/// Marker protocol that identifies arrays of any element type.
protocol ListProperty {}
extension Array: ListProperty {}

extension ArgumentType {
    /// True if every sequence of bytes is a valid value of the type.
    var isAnyBytes: Bool {
        switch self {
        case .text, .bytes, .json, .xml: true
        default: false
        }
    }
}
