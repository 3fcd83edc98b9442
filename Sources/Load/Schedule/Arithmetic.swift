import Glibc

func logarithm(_ value: Double) -> Double { log(value) }
