/// A set of byte values, stored as 256 bits for branch-free lookup.
public struct ByteSet: Sendable, Hashable, ExpressibleByArrayLiteral {
    @usableFromInline var words: SIMD4<UInt64> = .zero

    /// Creates an empty set.
    @inlinable public init() {}

    /// Creates a set of the given byte values.
    @inlinable
    public init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    /// Creates a set of the given byte values.
    @inlinable
    public init(arrayLiteral elements: UInt8...) {
        self.init(elements)
    }

    /// The set of all byte values.
    public static let all = ByteSet(UInt8.min...UInt8.max)

    /// Returns true if `byte` is in the set.
    @inlinable
    public func contains(_ byte: UInt8) -> Bool {
        words[Int(byte &>> 6)] & (1 &<< UInt64(byte & 63)) != 0
    }

    /// Adds `byte` to the set.
    @inlinable
    public mutating func insert(_ byte: UInt8) {
        words[Int(byte &>> 6)] |= 1 &<< UInt64(byte & 63)
    }

    /// Removes `byte` from the set.
    @inlinable
    public mutating func remove(_ byte: UInt8) {
        words[Int(byte &>> 6)] &= ~(1 &<< UInt64(byte & 63))
    }

    /// Returns the union of both sets.
    public func union(_ other: ByteSet) -> ByteSet {
        var result = self
        result.words |= other.words
        return result
    }

    /// Returns the members that are not in `other`.
    public func subtracting(_ other: ByteSet) -> ByteSet {
        var result = self
        result.words &= ~other.words
        return result
    }

    /// True if the set is empty.
    public var isEmpty: Bool { words == .zero }

    /// The members in ascending order.
    public var bytes: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }

    /// Returns the index of the first byte that is in the set, or nil.
    public func firstIndex(in bytes: some Collection<UInt8>) -> Int? {
        for (index, byte) in bytes.enumerated() where contains(byte) { return index }
        return nil
    }
}
