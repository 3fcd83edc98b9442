/// Somebody as others are told of: a nickname, and where protocols show it, an account and a host.
package struct Person: Sendable, Hashable {
    package var nickname: [UInt8]
    /// What stands between nickname and host in IRC's sources; empty where a protocol shows none.
    package var account: [UInt8]
    package var host: [UInt8]

    package init(_ nickname: [UInt8], account: [UInt8] = [], host: [UInt8] = []) {
        self.nickname = nickname
        self.account = account
        self.host = host
    }
}

/// What a client tells of itself at login beside its nickname.
package struct Profile: Sendable, Hashable {
    package var account: [UInt8]
    package var host: [UInt8]
    package var realName: [UInt8]

    package init(account: [UInt8] = [], host: [UInt8] = [], realName: [UInt8] = []) {
        self.account = account
        self.host = host
        self.realName = realName
    }
}
