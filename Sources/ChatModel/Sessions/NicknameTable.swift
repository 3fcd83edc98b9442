/// Who has which nickname. A nickname is unique whatever its case.
public struct NicknameTable<Holder: Sendable>: Sendable {
    private var holders: [NameKey: Holder] = [:]

    /// A table in which every nickname is free.
    public init() {}

    /// How many nicknames are taken.
    public var count: Int { holders.count }

    /// Takes a nickname.
    ///
    /// - Throws: `inUse`, if somebody has it in whatever case.
    public mutating func take(
        _ nickname: Nickname, for holder: Holder
    ) throws(NicknameError) {
        guard holders[nickname.key] == nil else { throw .inUse }
        holders[nickname.key] = holder
    }

    /// Gives a nickname to somebody, whoever had it.
    public mutating func give(_ nickname: Nickname, to holder: Holder) {
        holders[nickname.key] = holder
    }

    /// Makes a nickname free.
    @discardableResult
    public mutating func free(_ nickname: Nickname) -> Holder? {
        holders.removeValue(forKey: nickname.key)
    }

    /// Who has the nickname.
    public subscript(nickname: Nickname) -> Holder? { holders[nickname.key] }

    /// Who has the nickname that is spelled so; bytes that cannot be a nickname are nobody's.
    public func holder(of bytes: [UInt8], _ rules: NameRules = NameRules()) -> Holder? {
        Nickname.key(of: bytes, rules).flatMap { holders[$0] }
    }
}
