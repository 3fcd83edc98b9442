/// A user as shown to others: the nickname and, in some protocols, an account and a host.
package struct ChatUser: Sendable, Hashable {
    package var nickname: [UInt8]
    /// The part between the nickname and the host in IRC sources; empty in protocols that have
    /// none.
    package var account: [UInt8]
    package var host: [UInt8]

    package init(_ nickname: [UInt8], account: [UInt8] = [], host: [UInt8] = []) {
        self.nickname = nickname
        self.account = account
        self.host = host
    }
}

/// Details that a client provides when it logs in, apart from its nickname.
package struct Profile: Sendable, Hashable {
    package var account: [UInt8] = []
    package var host: [UInt8] = []
    package var realName: [UInt8] = []
}
