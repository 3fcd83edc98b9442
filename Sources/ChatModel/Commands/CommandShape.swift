import LineProtocol

/// The properties of a command type, found out by letting it decode itself from nothing.
struct CommandShape {
    /// One property.
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
        // A property that has no value for nothing, such as an enumeration without an empty word, ends this
        // early. Those after it are looked up when they are asked for.
        _ = try? Command(from: recorder)
        properties = recorder.properties
    }

    /// Throws if a property has no argument in the table, or one that is of another type.
    func check(against signature: CommandSignature) throws(CommandError) {
        for property in properties {
            guard let place = signature.place(of: property.name) else {
                if property.isOptional { continue }
                throw .notAnArgument(property.name, signature)
            }
            let argument = signature.arguments[place]
            guard Self.fits(property.type, argument) else {
                throw CommandError(
                    .typeMismatch, command: command, argument: property.name, position: place,
                    message: "a property of the type \(property.type) cannot be "
                        + (argument.isList ? "a list" : argument.type.name)
                        + ", which the dialect says it is")
            }
        }
    }

    /// Whether such a property can be such an argument. Types that nothing is known of may be any.
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

/// Arrays, of whatever.
protocol ListProperty {}
extension Array: ListProperty {}

extension ArgumentType {
    /// Whether any bytes are a value of the type.
    var isAnyBytes: Bool {
        switch self {
        case .text, .bytes, .json, .xml: true
        default: false
        }
    }
}
