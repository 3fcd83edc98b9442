/// One interface that a pcapng section describes.
struct CaptureInterface: Sendable, Equatable {
    var linkType: LinkType
    /// 0: no limit.
    var snapLength: Int
    /// Units of time a second, as a power.
    var resolution = Resolution.decimal(6)
    /// Seconds to be added to every time.
    var offsetSeconds: Int64 = 0

    /// How fine times are.
    enum Resolution: Sendable, Equatable {
        /// 10 to this power.
        case decimal(Int)
        /// 2 to this power.
        case binary(Int)
    }

    /// The time that `units` stand for, in nanoseconds since 1970.
    func nanoseconds(_ units: UInt64) -> Int64 {
        let offset = offsetSeconds.multipliedReportingOverflow(by: 1_000_000_000)
        return Int64(truncatingIfNeeded: unshifted(units))
            &+ (offset.overflow ? 0 : offset.partialValue)
    }

    private func unshifted(_ units: UInt64) -> UInt64 {
        switch resolution {
        case .decimal(9): return units
        case .decimal(6): return units &* 1_000
        case .decimal(let power) where power < 9: return units &* Self.power(9 - power)
        case .decimal(let power): return power - 9 < 20 ? units / Self.power(power - 9) : 0
        case .binary(let power) where power < 64:
            // units × 10^9 / 2^power, of which the product may take 94 bits.
            let product = units.multipliedFullWidth(by: 1_000_000_000)
            guard power > 0 else { return product.low }
            return product.high << (64 - UInt64(power)) | product.low >> UInt64(power)
        case .binary: return 0
        }
    }

    private static func power(_ exponent: Int) -> UInt64 {
        (0..<max(0, min(exponent, 19))).reduce(1) { value, _ in value * 10 }
    }
}
