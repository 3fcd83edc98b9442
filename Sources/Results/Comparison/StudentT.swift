import Glibc

/// Student's t distribution.
enum StudentT {
    /// Returns the value `t` for which the interval -t … t contains the share `confidence`, from 0
    /// to 1, of the distribution.
    ///
    /// - Parameter freedom: Degrees of freedom, at least 1.
    static func quantile(confidence: Double, freedom: Int) -> Double {
        var (low, high) = (0.0, 1.0)
        while within(high, freedom) < confidence, high < 1e12 { high *= 2 }
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if within(middle, freedom) < confidence { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// Returns the share of the distribution within -t … t: the finite series for whole degrees of
    /// freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    static func within(_ t: Double, _ freedom: Int) -> Double {
        let angle = atan(t / Double(freedom).squareRoot())
        let square = cos(angle) * cos(angle)
        let isOdd = freedom % 2 == 1
        if freedom == 1 { return 2 * angle / .pi }
        var term = isOdd ? cos(angle) : 1
        var sum = term
        var number = isOdd ? 2.0 : 1.0
        while Int(number) + 1 < freedom - 1 {
            term *= number / (number + 1) * square
            sum += term
            number += 2
        }
        return isOdd ? 2 / .pi * (angle + sin(angle) * sum) : sin(angle) * sum
    }
}
