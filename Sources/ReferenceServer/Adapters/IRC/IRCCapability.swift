import LineProtocol

/// The IRCv3 capabilities that the server implements, in the order in which it lists them.
enum IRCCapability: String, CaseIterable, Sendable {
    case accountNotify = "account-notify"
    case accountTag = "account-tag"
    case awayNotify = "away-notify"
    case batch
    case capNotify = "cap-notify"
    case chathistory = "draft/chathistory"
    case echoMessage = "echo-message"
    case extendedJoin = "extended-join"
    case inviteNotify = "invite-notify"
    case labeledResponse = "labeled-response"
    case messageTags = "message-tags"
    case multiPrefix = "multi-prefix"
    case sasl
    case serverTime = "server-time"
    case setname
    case standardReplies = "standard-replies"
    case userhostInNames = "userhost-in-names"

    /// True if the capability is useful only with message tags.
    var needsTags: Bool {
        switch self {
        case .accountTag, .batch, .chathistory, .labeledResponse, .messageTags, .serverTime: true
        default: false
        }
    }

    /// True if the capability changes the form of notices.
    var changesNotices: Bool {
        switch self {
        case .accountNotify, .accountTag, .awayNotify, .extendedJoin, .inviteNotify, .messageTags,
            .serverTime, .setname:
            true
        case .batch, .capNotify, .chathistory, .echoMessage, .labeledResponse, .multiPrefix,
            .sasl, .standardReplies, .userhostInNames:
            false
        }
    }

    /// The value after the name in `CAP LS 302`; nil if there is none.
    var value: String? { self == .sasl ? "PLAIN" : nil }
}

/// A set of IRCv3 capabilities, such as those that a client has enabled.
struct IRCCapabilities: Sendable, Hashable {
    private var bits = 0

    private static let bits: [IRCCapability: Int] = Dictionary(
        uniqueKeysWithValues: zip(IRCCapability.allCases, IRCCapability.allCases.indices).map {
            ($0, 1 << $1)
        })

    private static let formBits = IRCCapability.allCases.filter(\.changesNotices).map(bit)
        .reduce(0, |)

    /// The capabilities in the set that change the form of notices, as a bit mask.
    var form: Int { bits & Self.formBits }

    private static func bit(_ capability: IRCCapability) -> Int { bits[capability] ?? 0 }

    func contains(_ capability: IRCCapability) -> Bool { bits & Self.bit(capability) != 0 }

    /// Returns the prefixes of a member that lists show: all of them or only the highest.
    func shownPrefixes(of all: [UInt8], _ faults: FaultInjector) -> [UInt8] {
        var showsAll = contains(.multiPrefix)
        if contains(.userhostInNames) {
            let fault = showsAll ? Fault.capabilitiesExclusive : .capabilitiesImplied
            if faults.shouldInject(fault) { showsAll.toggle() }
        }
        return showsAll ? all : Array(all.prefix(1))
    }

    mutating func insert(_ capability: IRCCapability) { bits |= Self.bit(capability) }

    mutating func remove(_ capability: IRCCapability) { bits &= ~Self.bit(capability) }

    var names: [String] { IRCCapability.allCases.filter(contains).map(\.rawValue) }
}
