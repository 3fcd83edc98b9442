/// A list of slots ordered by deadline. Each new deadline must be the latest.
///
/// All deadlines in one list have the same timeout, so a slot that gets a new deadline moves to the
/// end. Every operation is O(1), and the list is never longer than the number of slots. A heap
/// would guarantee neither.
struct DeadlineList: Sendable {
    private struct Link: Sendable {
        var previous: Int32 = none
        var next: Int32 = none
        var deadline: Int64 = 0
        var isListed = false
    }

    private static let none: Int32 = -1

    private var links: [Link] = []
    private var first = none
    private var last = none

    /// The slot with the earliest deadline; nil if the list is empty.
    var earliest: (slot: Int32, deadline: Int64)? {
        first == Self.none ? nil : (first, links[Int(first)].deadline)
    }

    /// Moves the slot to the end of the list, adding it if necessary.
    mutating func touch(_ slot: Int32, deadline: Int64) {
        remove(slot)
        while links.count <= Int(slot) { links.append(Link()) }
        // Keep the list ordered even if the clock has gone backwards.
        let floor = last == Self.none ? deadline : links[Int(last)].deadline
        links[Int(slot)] = Link(previous: last, deadline: max(deadline, floor), isListed: true)
        if last == Self.none { first = slot } else { links[Int(last)].next = slot }
        last = slot
    }

    mutating func remove(_ slot: Int32) {
        guard links.indices.contains(Int(slot)), links[Int(slot)].isListed else { return }
        let link = links[Int(slot)]
        if link.previous == Self.none {
            first = link.next
        } else {
            links[Int(link.previous)].next = link.next
        }
        if link.next == Self.none {
            last = link.previous
        } else {
            links[Int(link.next)].previous = link.previous
        }
        links[Int(slot)] = Link()
    }
}
