/// An array that is emptied and filled again for every line without giving its room back.
///
/// `Array.removeAll(keepingCapacity:)` does the same, but costs more than dividing a short line does.
public struct ReusableArray<Element: BitwiseCopyable & Sendable>: Sendable {
    /// The elements, and behind them what is left of longer lines.
    @usableFromInline var room: [Element] = []
    public private(set) var count = 0

    @inlinable init() {}

    /// Makes the array empty.
    @usableFromInline
    mutating func removeAll() { count = 0 }

    mutating func append(_ element: Element) {
        if count < room.count {
            room[count] = element
        } else {
            room.append(element)
        }
        count += 1
    }

    mutating func replace(at place: Int, with element: Element) {
        if place < count { room[place] = element }
    }

    /// Calls `body` with room for at least `capacity` elements; it returns how many it has written, or
    /// nil if it needs more room, and is then called again with twice as much.
    @inline(__always)
    mutating func fill(
        capacity: Int, blank: Element, _ body: (UnsafeMutablePointer<Element>, Int) -> Int?
    ) {
        var capacity = capacity
        while true {
            if room.count < capacity {
                room.append(contentsOf: repeatElement(blank, count: capacity - room.count))
            }
            let written = unsafe room.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return Int?.some(0) }
                return unsafe body(base, buffer.count)
            }
            if let written {
                count = written
                return
            }
            capacity = room.count * 2
        }
    }
}

extension ReusableArray: RandomAccessCollection {
    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { count }

    @inlinable
    public subscript(place: Int) -> Element {
        precondition(place < count, "place \(place) of \(count)")
        return room[place]
    }
}

extension ReusableArray: Equatable where Element: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
