import ChatModel
import LineProtocol

/// The IRC-specific state of all clients. A class, because all parts of the adapter share it.
final class IRCClients {
    private let faults: FaultInjector
    private var slots = SlotTable<IRCClientState>()
    /// Number of clients whose capabilities change the lines they receive.
    private var formCount = 0

    init(_ faults: FaultInjector) { self.faults = faults }

    subscript(id: ClientID) -> IRCClientState? {
        get { slots[id] }
        set {
            if form(of: id) != 0 { formCount -= 1 }
            slots[id] = newValue
            if form(of: id) != 0 { formCount += 1 }
        }
    }

    /// Returns the client's name for use in answers: `*` if it has no nickname yet.
    func name(of id: ClientID, _ service: borrowing ChatService) -> [UInt8] {
        service.session(id)?.nickname.bytes ?? slots[id]?.nickname ?? [0x2A]
    }

    // MARK: Capabilities

    func has(_ capability: IRCCapability, _ id: ClientID) -> Bool {
        slots[id]?.capabilities.contains(capability) == true
    }

    /// A number that identifies the form in which a client receives notices.
    func form(of id: ClientID) -> Int { slots[id]?.capabilities.form ?? 0 }

    /// True if clients may receive notices in different forms.
    var hasForms: Bool { formCount > 0 || faults.isArmed(.unrequestedTags) }

    /// Returns the prefix characters before a nickname: all of them for clients with
    /// `multi-prefix`, otherwise only the highest.
    func prefix(_ rank: RoomRank, for id: ClientID) -> [UInt8] {
        var marks: [UInt8] = []
        if rank.contains(.roomOperator) { marks.append(0x40) }
        if rank.contains(.voiced) { marks.append(0x2B) }
        return slots[id]?.capabilities.shownPrefixes(of: marks, faults) ?? []
    }

    // MARK: Users

    func isBot(_ person: ChatUser, _ service: borrowing ChatService) -> Bool {
        service.holder(of: person.nickname).flatMap { slots[$0]?.isBot } == true
    }

    /// Returns the account that a user is logged in to; nil if there is none.
    func account(of person: ChatUser, _ service: borrowing ChatService) -> [UInt8]? {
        service.holder(of: person.nickname).flatMap { slots[$0]?.account }
    }
}

/// IRC-specific state of a client.
struct IRCClientState {
    var nickname: [UInt8]?
    var user: (name: [UInt8], realName: [UInt8])?
    var password: [UInt8] = []
    /// True while capabilities are being negotiated, which delays the login.
    var isNegotiating = false
    /// True if the client has requested capability values.
    var hasValues = false
    var capabilities = IRCCapabilities()
    /// Data of a SASL authentication in progress; nil if there is none.
    var saslData: [UInt8]?
    /// The account that the client is logged in to; nil if it is not.
    var account: [UInt8]?
    var modes: Set<IRCUserMode> = []
    var isInvisible: Bool { modes.contains(.invisible) }
    var isBot: Bool { modes.contains(.bot) }
}
