extension FixedWidthInteger {
    /// Returns the sum, saturating instead of overflowing, because a file can contain any number.
    func grown(by other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    mutating func grow(by other: Self) { self = grown(by: other) }
}
