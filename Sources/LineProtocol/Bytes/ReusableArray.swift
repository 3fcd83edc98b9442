/// An array that is emptied and filled again for every line without giving its room back.
///
/// `Array` can do the same, but what it does on the way costs more than dividing a short line. Copies share
/// their room until one of them is written to, so that a value is as safe to send as an array is.
public struct ReusableArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    private var room: Room?
    /// How many elements there are.
    public private(set) var count = 0

    /// Memory for so many elements.
    @safe private final class Room {
        let base: UnsafeMutablePointer<Element>
        let capacity: Int

        init(capacity: Int) {
            unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            self.capacity = capacity
        }

        deinit { unsafe base.deallocate() }
    }

    init() {}

    /// Makes the array empty.
    @inline(__always)
    mutating func removeAll() { count = 0 }

    mutating func append(_ element: Element) {
        unsafe (roomForWriting(count + 1) + count).initialize(to: element)
        count += 1
    }

    /// Where elements can be written: room for at least `capacity` of them, that this value alone refers to.
    /// It holds until the array is changed in another way. What is written counts after ``setCount(_:)``.
    @inline(__always)
    mutating func roomForWriting(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        if isKnownUniquelyReferenced(&room), let room, room.capacity >= capacity {
            return unsafe room.base
        }
        return unsafe makeRoom(capacity)
    }

    @inline(never)
    private mutating func makeRoom(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let new = Room(capacity: Swift.max(capacity, 2 * count, 8))
        if let room { unsafe new.base.initialize(from: room.base, count: count) }
        room = new
        return unsafe new.base
    }

    /// How many elements there is room for.
    var capacity: Int { room?.capacity ?? 0 }

    /// Sets how many of the elements in the room count; they must have been written.
    @inline(__always)
    mutating func setCount(_ count: Int) { self.count = count }

    /// Where the elements can be read while the value lives unchanged.
    @inline(__always)
    var elements: UnsafeBufferPointer<Element> {
        guard let room else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeBufferPointer(start: room.base, count: count)
    }
}

extension ReusableArray: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// ``count``.
    public var endIndex: Int { count }

    /// The element at `place`.
    public subscript(place: Int) -> Element {
        guard let room, place >= 0, place < count else {
            preconditionFailure("place \(place) of \(count)")
        }
        return unsafe room.base[place]
    }
}

extension ReusableArray: Equatable where Element: Equatable {
    /// Whether the elements are equal.
    public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ReusableArray: CustomStringConvertible {
    /// The elements as an array shows them.
    public var description: String { Array(self).description }
}
