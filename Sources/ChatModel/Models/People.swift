/// A logged-in user.
public struct Person: Sendable, Hashable, Identifiable {
    /// The session's id, unique on the server.
    public var id: Int
    /// The nickname, as shown to others.
    public var nickname: String

    /// Creates a person.
    public init(id: Int, nickname: String) {
        self.id = id
        self.nickname = nickname
    }
}

/// The logged-in users, sorted by session id.
public struct People: Sendable, Hashable {
    /// Maximum number of users listed; additional users are only counted.
    public static let peopleMax = 50_000

    /// The listed users, sorted by id.
    public private(set) var all: [Person] = []
    /// Number of logged-in users that are not listed.
    public private(set) var unlistedCount = 0

    /// Creates an empty list.
    public init() {}

    /// Number of logged-in users, listed or not.
    public var count: Int { all.count + unlistedCount }

    /// The listed user with this id; nil if there is none.
    public subscript(id id: Int) -> Person? {
        let index = index(of: id)
        return all.indices.contains(index) && all[index].id == id ? all[index] : nil
    }

    /// The listed user with this nickname or an equivalent one; nil if there is none.
    public subscript(nickname nickname: String) -> Person? {
        guard let key = Nickname.key(of: Array(nickname.utf8)) else { return nil }
        return all.first { Nickname.key(of: Array($0.nickname.utf8)) == key }
    }

    /// Adds a user, or updates one that is already listed.
    mutating func insert(_ person: Person) {
        let index = index(of: person.id)
        if all.indices.contains(index), all[index].id == person.id {
            all[index] = person
        } else if all.count < Self.peopleMax {
            all.insert(person, at: index)
        } else {
            unlistedCount += 1
        }
    }

    mutating func remove(id: Int) {
        let index = index(of: id)
        if all.indices.contains(index), all[index].id == id {
            all.remove(at: index)
        } else if unlistedCount > 0 {
            unlistedCount -= 1
        }
    }

    /// Returns the index of the user with this id, or the index for inserting that user.
    private func index(of id: Int) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The logged-in users, as an observable model.
public typealias PeopleModel = ObservedModel<People>
