import ArgumentParser
import Diagnostics
import ReferenceServer

/// Options that make the reference server misbehave.
struct FaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Inject this fault, always or with a probability: drop, drop:0.01, drop:1%. Repeatable; \
            --list-faults lists the names.
            """, valueName: "name[:rate]"),
        completion: .list(Fault.allCases.map(\.rawValue)), transform: FaultArgument.init)
    var fault: [FaultArgument] = []

    @Flag(help: "List the faults and the checks that find them, then exit.")
    var listFaults = false

    @Option(
        help: ArgumentHelp("Seed for fault probabilities.", valueName: "number"),
        transform: NumberArgument.seed)
    var seed: UInt64 = 1

    /// True to list faults instead of starting the server.
    var isListRequested: Bool { listFaults || fault.contains { $0.fault == nil } }

    var injector: FaultInjector {
        let rates = fault.compactMap { argument in argument.fault.map { ($0, argument.rate) } }
        guard !rates.isEmpty else { return .none }
        return FaultInjector(rates: Dictionary(rates) { _, last in last }, seed: seed)
    }
}

/// A value of `--fault`: a fault with its probability, such as `drop` or `drop:1%`, or `help` to
/// list all faults.
struct FaultArgument {
    /// The fault; nil for `help`.
    let fault: Fault?
    let rate: Double

    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard name != "help" else {
            (fault, rate) = (nil, 0)
            return
        }
        guard let fault = Fault(named: name) else {
            let guess = didYouMean(name, among: Fault.allCases.map(\.rawValue))
            let hint = guess.map { "; did you mean \($0)?" } ?? "; --list-faults shows all"
            throw ValidationError("unknown fault \(name)\(hint)")
        }
        self.fault = fault
        rate = parts.count > 1 ? try Self.rate(parts[1]) : 1
    }

    private static func rate(_ text: Substring) throws -> Double {
        let isPercent = text.hasSuffix("%")
        let number = Double(isPercent ? text.dropLast() : text)
        guard let number, (0...(isPercent ? 100 : 1)).contains(number) else {
            throw ValidationError("expected a rate from 0 to 1, such as 0.01 or 1%")
        }
        return isPercent ? number / 100 : number
    }
}

/// A value of `--rate`: a limit on the rate of lines, such as `10/s`, `10/3s` or `10/s:50`.
struct RateArgument {
    let limit: RateLimit

    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1)
        let words = parts.first?.split(separator: "/", maxSplits: 1) ?? []
        guard words.count == 2, let count = Int(words[0]), (1...1_000_000).contains(count) else {
            throw Self.unreadable
        }
        let time = words[1].first?.isNumber == true ? String(words[1]) : "1\(words[1])"
        let seconds = Double(try DurationArgument(time).nanoseconds) / 1_000_000_000
        let burst = parts.count > 1 ? Int(parts[1]) : count
        guard let burst, (1...1_000_000).contains(burst) else { throw Self.unreadable }
        limit = RateLimit(linesPerSecond: Double(count) / seconds, burst: burst)
    }

    private static let unreadable = ValidationError(
        "expected a rate such as 10/s, 10/3s or 10/s:50")
}
