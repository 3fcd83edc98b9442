package import ChatModel

/// Somebody who is logged in.
package struct ChatSession: Sendable {
    /// Given once in the life of a service, from 1.
    package let identifier: Int64
    package internal(set) var nickname: Nickname
    package let isVisitor: Bool
    package let profile: Profile
    /// When it began, in nanoseconds since 1970.
    package let since: Int64
    /// When it last said something, in the service's time.
    package internal(set) var spokeAt: Int64
    /// What those who write to it are told while it is away.
    package internal(set) var away: [UInt8]?
    /// Whether it was asked for a sign of life and has not given one.
    var isAsked = false
    /// The rooms it is in.
    package internal(set) var chats: [RoomName] = []
    /// Where it stands in the service's list of operators or of visitors.
    var place: Int

    /// It as others are told of it.
    package var person: Person {
        Person(nickname.bytes, account: profile.account, host: profile.host)
    }
}
