/// An array that keeps its memory when it is cleared, so that it can be refilled for each line.
///
/// `Array` can do this too, but with an overhead larger than the cost of splitting a short line.
/// Copies share their storage until one of them is written to, so a value can be passed between
/// threads like an array.
public struct ReusableArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline var storage: Storage?
    /// The number of elements.
    public private(set) var count = 0

    /// Storage for a fixed number of elements.
    @usableFromInline
    @safe final class Storage {
        @usableFromInline let base: UnsafeMutablePointer<Element>
        let capacity: Int

        init(capacity: Int) {
            unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            self.capacity = capacity
        }

        deinit { unsafe base.deallocate() }
    }

    init() {}

    /// Removes all elements, but keeps the memory.
    @inline(__always)
    mutating func removeAll() { count = 0 }

    mutating func append(_ element: Element) {
        unsafe (storageForWriting(count + 1) + count).initialize(to: element)
        count += 1
    }

    /// Returns unshared storage for at least `capacity` elements.
    ///
    /// The pointer is valid until the array is changed in any other way. After writing, call
    /// ``setCount(_:)``.
    @inline(__always)
    mutating func storageForWriting(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        if isKnownUniquelyReferenced(&storage), let storage, storage.capacity >= capacity {
            return unsafe storage.base
        }
        return unsafe reallocate(capacity)
    }

    @inline(never)
    private mutating func reallocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let new = Storage(capacity: Swift.max(capacity, 2 * count, 8))
        if let storage { unsafe new.base.initialize(from: storage.base, count: count) }
        storage = new
        return unsafe new.base
    }

    /// The number of elements that fit without a reallocation.
    var capacity: Int { storage?.capacity ?? 0 }

    /// Sets the number of elements, which must already have been written.
    @inline(__always)
    mutating func setCount(_ count: Int) { self.count = count }

    /// The elements, valid until the array changes.
    @inlinable
    package var elements: UnsafeBufferPointer<Element> {
        guard let storage else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeBufferPointer(start: storage.base, count: count)
    }
}

extension ReusableArray: RandomAccessCollection {
    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// Same as ``count``.
    @inlinable public var endIndex: Int { count }

    /// The element at `index`.
    @inlinable
    public subscript(index: Int) -> Element {
        guard let storage, index >= 0, index < count else {
            preconditionFailure("index \(index) is not below the count of \(count)")
        }
        return unsafe storage.base[index]
    }
}

extension ReusableArray: Equatable where Element: Equatable {
    /// Returns true if all elements are equal.
    public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ReusableArray: CustomStringConvertible {
    /// The elements, formatted like an array.
    public var description: String { Array(self).description }
}
