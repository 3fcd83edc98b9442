import Glibc

/// The natural logarithm.
func logarithm(_ value: Double) -> Double { log(value) }
