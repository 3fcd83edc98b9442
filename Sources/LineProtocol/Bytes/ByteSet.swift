/// A set of byte values: 256 bits, tested without a branch.
public struct ByteSet: Sendable, Hashable, ExpressibleByArrayLiteral {
    @usableFromInline var words: SIMD4<UInt64> = .zero

    /// The empty set.
    @inlinable public init() {}

    /// The set of the given byte values.
    @inlinable
    public init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    /// The set of these byte values.
    @inlinable
    public init(arrayLiteral elements: UInt8...) {
        self.init(elements)
    }

    /// Every byte value.
    public static let all = ByteSet(UInt8.min...UInt8.max)

    /// Whether `byte` is a member.
    @inlinable
    public func contains(_ byte: UInt8) -> Bool {
        words[Int(byte &>> 6)] & (1 &<< UInt64(byte & 63)) != 0
    }

    /// Makes `byte` a member.
    @inlinable
    public mutating func insert(_ byte: UInt8) {
        words[Int(byte &>> 6)] |= 1 &<< UInt64(byte & 63)
    }

    /// Makes `byte` no member.
    @inlinable
    public mutating func remove(_ byte: UInt8) {
        words[Int(byte &>> 6)] &= ~(1 &<< UInt64(byte & 63))
    }

    /// The members of either set.
    public func union(_ other: ByteSet) -> ByteSet {
        var result = self
        result.words |= other.words
        return result
    }

    /// The members of this set that are not in `other`.
    public func subtracting(_ other: ByteSet) -> ByteSet {
        var result = self
        result.words &= ~other.words
        return result
    }

    /// Whether there are no members.
    public var isEmpty: Bool { words == .zero }

    /// The members in ascending order.
    public var bytes: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }

    /// The first member found in `bytes`, with its place.
    public func firstIndex(in bytes: some Collection<UInt8>) -> Int? {
        for (place, byte) in bytes.enumerated() where contains(byte) { return place }
        return nil
    }
}
