import LineProtocol

/// A mapping from a dialect's command table to the server's requests and notices. Commands and
/// arguments are looked up once, by name, so the code does not depend on wire names or argument
/// order.
struct ChatVocabulary: Sendable {
    /// A client command, with the position of each of its arguments in the dialect's signature.
    struct Request: Sendable {
        var verb: ChatVerb
        /// For each of the verb's arguments, its index in the signature; nil if the dialect lacks
        /// the argument.
        var argumentIndices: [Int?]
    }

    /// A server command, with the notice value for each argument.
    struct Notice: Sendable {
        var command: Int
        /// For each argument of the signature, the index of its value in the notice; nil if the
        /// notice has no such value.
        var order: [Int?]
    }

    let requests: [Request?]
    /// The notices, in ``NoticeKind/allCases`` order; nil for notices that the dialect does not
    /// need.
    let notices: [Notice?]
    let wireNames: [ChatVerb: [UInt8]]

    init(_ dialect: Dialect) throws(ServerError) {
        var requests = [Request?](repeating: nil, count: dialect.commands.signatures.count)
        var wireNames: [ChatVerb: [UInt8]] = [:]
        let verbs = ChatVerb.ofLivechat + Self.extras(of: dialect)
        for verb in verbs {
            let command = try Self.command(verb.rawValue, .fromClient, dialect)
            let signature = dialect.commands.signatures[command]
            requests[command] = try Self.request(verb, signature)
            guard case .exact(let name) = signature.wire else {
                throw ServerError.missingCommand(verb.rawValue, .fromClient, dialect)
            }
            wireNames[verb] = name
        }
        var notices: [Notice?] = []
        for kind in NoticeKind.allCases {
            if let verb = kind.neededFor, !verbs.contains(verb) {
                notices.append(nil)
                continue
            }
            let command = try Self.command(kind.rawValue, .fromServer, dialect)
            notices.append(try Self.notice(kind, command, dialect.commands.signatures[command]))
        }
        self.requests = requests
        self.notices = notices
        self.wireNames = wireNames
    }

    /// Returns the optional commands that the dialect defines.
    private static func extras(of dialect: Dialect) -> [ChatVerb] {
        ChatVerb.optionalInLivechat.filter {
            dialect.commands.command(named: $0.rawValue, .fromClient) != nil
        }
    }

    private static func command(
        _ name: String, _ direction: Direction, _ dialect: Dialect
    ) throws(ServerError) -> Int {
        guard let command = dialect.commands.command(named: name, direction) else {
            throw ServerError.missingCommand(name, direction, dialect)
        }
        return command
    }

    private static func request(
        _ verb: ChatVerb, _ signature: CommandSignature
    ) throws(ServerError) -> Request {
        var argumentIndices: [Int?] = []
        for wanted in verb.arguments {
            let index = signature.arguments.firstIndex { $0.name == wanted.name }
            if let index {
                try check(signature, signature.arguments[index], wanted.kind)
            } else if wanted.isNeeded {
                throw unsuitable(signature, wanted.name, "is missing")
            }
            argumentIndices.append(index)
        }
        return Request(verb: verb, argumentIndices: argumentIndices)
    }

    private static func notice(
        _ kind: NoticeKind, _ command: Int, _ signature: CommandSignature
    ) throws(ServerError) -> Notice {
        var order: [Int?] = []
        for argument in signature.arguments {
            let index = kind.arguments.firstIndex { $0.name == argument.name }
            if let index {
                try check(signature, argument, kind.arguments[index].kind)
            } else if argument.isRequired {
                throw unsuitable(signature, argument.name, "is not known to the server")
            }
            order.append(index)
        }
        return Notice(command: command, order: order)
    }

    private static func check(
        _ signature: CommandSignature, _ argument: ArgumentSignature, _ kind: ArgumentKind
    ) throws(ServerError) {
        guard !kind.fits(argument.type) else { return }
        throw unsuitable(
            signature, argument.name, "is of type \(argument.type.name), not \(kind.rawValue)")
    }

    private static func unsuitable(
        _ signature: CommandSignature, _ argument: String, _ problem: String
    ) -> ServerError {
        ServerError(
            .unsuitableArgument(command: signature.name, argument: argument),
            "the \"\(argument)\" argument of the \"\(signature.name)\" command \(problem)")
    }
}

/// The argument types that the server distinguishes.
enum ArgumentKind: String, Sendable {
    case int, bool, time, text

    func fits(_ type: ArgumentType) -> Bool {
        switch (self, type) {
        case (.int, .int), (.bool, .bool), (.time, .time): true
        case (.text, .text), (.text, .bytes), (.text, .xml), (.text, .json): true
        default: false
        }
    }
}

/// An argument that the server uses, with the type it expects.
struct KnownArgument: Sendable {
    var name: String
    var kind: ArgumentKind
    var isNeeded: Bool

    init(_ name: String, _ kind: ArgumentKind, isNeeded: Bool = true) {
        self.name = name
        self.kind = kind
        self.isNeeded = isNeeded
    }
}

extension ChatVerb {
    /// Commands that are optional in livechat-like dialects.
    static let optionalInLivechat: [ChatVerb] = [.open, .sendContent]

    /// Commands that every livechat-like dialect defines.
    static let ofLivechat: [ChatVerb] = [
        .login, .logout, .ping, .sendMessage, .sendHidden, .join, .leave, .sendPrivate, .who,
        .history, .runAction,
    ]

    var arguments: [KnownArgument] {
        switch self {
        case .login:
            [
                KnownArgument("nickname", .text), KnownArgument("password", .text, isNeeded: false),
                KnownArgument("visitor", .bool, isNeeded: false),
            ]
        case .logout: []
        case .ping: [KnownArgument("token", .text, isNeeded: false)]
        case .sendMessage, .sendHidden:
            [
                KnownArgument("from", .int, isNeeded: false), KnownArgument("chat", .int),
                KnownArgument("text", .text),
            ]
        case .join, .leave: [KnownArgument("chat", .int)]
        case .sendPrivate: [KnownArgument("to", .text), KnownArgument("text", .text)]
        case .who: [KnownArgument("chat", .int, isNeeded: false)]
        case .history:
            [KnownArgument("chat", .int), KnownArgument("count", .int, isNeeded: false)]
        case .runAction: [KnownArgument("chat", .int), KnownArgument("action", .text)]
        case .open: [KnownArgument("scene", .text), KnownArgument("members", .text)]
        case .sendContent:
            [KnownArgument("chat", .int), .type, .format, .data]
        case .rename, .away, .topic, .kick, .invite, .change: []
        }
    }
}
