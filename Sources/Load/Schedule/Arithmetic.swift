import Glibc

/// The natural logarithm.
func logarithm(_ value: Double) -> Double { log(value) }

/// The error function.
func errorFunction(_ value: Double) -> Double { erf(value) }
