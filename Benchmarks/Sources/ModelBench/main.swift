// Compares the message log with a sorted array of dictionaries, and the multicast with one closure per event and
// listener, alternating in one run.

import Measuring

func show(_ title: String, _ workloads: [Workload]) {
    print(title)
    print(row("", ["ns/op", "p10-p90", "ratio", "allocs/op"]))
    for measurement in Bench.measure(workloads) { print(row(measurement)) }
    print()
}

print(
    """
    CPU time of one thread; medians of \(Bench.roundCount) alternating rounds. Ratios are relative to the line above:
    below 1 is faster.

    """)
let parts = CommandLine.arguments.dropFirst()
if parts.isEmpty || parts.contains("log") {
    show("Message log, \(logMessages) messages", logWorkloads())
}
if parts.isEmpty || parts.contains("multicast") {
    show(
        "Multicast, one event for one listener",
        multicastWorkloads(listeners: 1, burst: 1) + multicastWorkloads(listeners: 10, burst: 1)
            + multicastWorkloads(listeners: 10, burst: 64)
            + multicastWorkloads(listeners: 1_000, burst: 64))
}
