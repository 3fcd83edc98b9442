/// A table of nicknames and their holders. Equivalent nicknames count as one nickname.
public struct NicknameTable<Holder: Sendable>: Sendable {
    private var holders: [NameKey: Holder] = [:]

    /// Creates an empty table.
    public init() {}

    /// Number of nicknames in use.
    public var count: Int { holders.count }

    /// Assigns a free nickname.
    ///
    /// - Throws: ``NicknameError/inUse`` if it has a holder.
    public mutating func take(
        _ nickname: Nickname, for holder: Holder
    ) throws(NicknameError) {
        guard holders[nickname.key] == nil else { throw .inUse }
        holders[nickname.key] = holder
    }

    /// Assigns a nickname. If it already has a holder, that holder loses it.
    public mutating func give(_ nickname: Nickname, to holder: Holder) {
        holders[nickname.key] = holder
    }

    /// Frees a nickname. Returns its former holder; nil if it had none.
    @discardableResult
    public mutating func free(_ nickname: Nickname) -> Holder? {
        holders.removeValue(forKey: nickname.key)
    }

    /// The holder of a nickname; nil if it is free.
    public subscript(nickname: Nickname) -> Holder? { holders[nickname.key] }

    /// Returns the holder of this nickname or an equivalent one; nil if it is free or the bytes are
    /// not a valid nickname.
    public func holder(of bytes: [UInt8], _ rules: NameRules = NameRules()) -> Holder? {
        Nickname.key(of: bytes, rules).flatMap { holders[$0] }
    }
}
