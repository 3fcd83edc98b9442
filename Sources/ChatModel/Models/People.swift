/// Somebody who is logged in.
public struct Person: Sendable, Hashable, Identifiable {
    /// The session's number, given once.
    public var id: Int
    /// The nickname.
    public var nickname: String

    /// Somebody of that number and name.
    public init(id: Int, nickname: String) {
        self.id = id
        self.nickname = nickname
    }
}

/// Those who are here, in the order in which they logged in.
public struct People: Sendable, Hashable {
    /// How many are kept at most; who comes then is counted and not listed.
    public static let peopleMax = 50_000

    /// By rising number.
    public private(set) var all: [Person] = []
    /// How many are here and not listed.
    public private(set) var unlistedCount = 0

    /// Nobody.
    public init() {}

    /// How many are here.
    public var count: Int { all.count + unlistedCount }

    /// The one of that number.
    public subscript(id id: Int) -> Person? {
        let place = place(of: id)
        return all.indices.contains(place) && all[place].id == id ? all[place] : nil
    }

    /// The one of that nickname, whatever its case.
    public subscript(nickname nickname: String) -> Person? {
        guard let key = Nickname.key(of: Array(nickname.utf8)) else { return nil }
        return all.first { Nickname.key(of: Array($0.nickname.utf8)) == key }
    }

    /// Somebody has come, or is listed again.
    mutating func insert(_ person: Person) {
        let place = place(of: person.id)
        if all.indices.contains(place), all[place].id == person.id {
            all[place] = person
        } else if all.count < Self.peopleMax {
            all.insert(person, at: place)
        } else {
            unlistedCount += 1
        }
    }

    /// Somebody has gone.
    mutating func remove(id: Int) {
        let place = place(of: id)
        if all.indices.contains(place), all[place].id == id {
            all.remove(at: place)
        } else if unlistedCount > 0 {
            unlistedCount -= 1
        }
    }

    /// Where one of that number stands or belongs.
    private func place(of id: Int) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Those who are here, for views to follow.
public typealias PeopleModel = ObservedModel<People>
