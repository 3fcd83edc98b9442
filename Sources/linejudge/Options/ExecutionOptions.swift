import ArgumentParser

/// The option for the seed.
struct SeedOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seed for all randomness; printed in every report (default: random).",
            valueName: "number"),
        transform: NumberArgument.seed)
    var seed: UInt64?

    /// The seed, or a random one that is short enough to type.
    var chosen: UInt64 { seed ?? UInt64.random(in: 1...999_999) }
}

/// The option for the timeout of steps.
struct StepOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Timeout for expectations that do not set one (default: 5s).", valueName: "time"),
        transform: DurationArgument.init)
    var timeoutStep: DurationArgument?
}
