/// Description of a network interface in a pcapng section.
struct CaptureInterface: Sendable, Equatable {
    var linkType: LinkType
    /// Maximum number of bytes captured per packet; 0 if unlimited.
    var snapLength: Int
    /// Number of time units per second.
    var resolution = Resolution.decimal(6)
    /// Number of seconds to add to every timestamp.
    var offsetSeconds: Int64 = 0
    /// The first ``nameBytesMax`` bytes of the interface's name, such as `eth0`; empty if it has
    /// none.
    var name: [UInt8] = []

    /// Maximum number of bytes of a name that are kept.
    static let nameBytesMax = 64

    /// Resolution of an interface's timestamps.
    enum Resolution: Sendable, Equatable {
        /// 10^n units per second.
        case decimal(Int)
        /// 2^n units per second.
        case binary(Int)
    }

    /// Converts a timestamp to nanoseconds since 1970. Times outside ``CaptureRecord/times`` are
    /// clamped to that range.
    func nanoseconds(_ units: UInt64) -> Int64 {
        let latest = CaptureRecord.times.upperBound
        let offset = offsetSeconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !offset.overflow else { return offsetSeconds < 0 ? 0 : latest }
        let (time, isOver) = unshifted(units).addingReportingOverflow(offset.partialValue)
        return isOver ? latest : min(max(time, 0), latest)
    }

    /// Converts a timestamp to nanoseconds without adding the interface's offset. Results that are
    /// too large are clamped to `Int64.max`.
    private func unshifted(_ units: UInt64) -> Int64 {
        switch resolution {
        case .decimal(let power) where power <= 9:
            let product = units.multipliedReportingOverflow(by: Self.power(9 - power))
            return product.overflow ? .max : Int64(clamping: product.partialValue)
        case .decimal(let power):
            return power - 9 < 20 ? Int64(clamping: units / Self.power(power - 9)) : 0
        case .binary(let power) where power < 64:
            // units × 10^9 / 2^power; the product may need 94 bits.
            let product = units.multipliedFullWidth(by: 1_000_000_000)
            guard product.high >> UInt64(power) == 0 else { return .max }
            guard power > 0 else { return Int64(clamping: product.low) }
            return Int64(
                clamping: product.high << (64 - UInt64(power)) | product.low >> UInt64(power))
        case .binary: return 0
        }
    }

    private static func power(_ exponent: Int) -> UInt64 {
        (0..<max(0, min(exponent, 19))).reduce(1) { value, _ in value * 10 }
    }
}
