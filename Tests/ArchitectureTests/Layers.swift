/// The one place that declares the order of targets and, within a target, of its folders.
enum Layers {
    /// A target with its folders from the lowest up. `.` stands for the files outside of all folders.
    struct Target {
        var name: String
        var folders: [String]

        init(_ name: String, _ folders: String...) {
            self.name = name
            self.folders = folders.isEmpty ? ["."] : folders
        }
    }

    /// The layers from the lowest up. A target imports only from layers below its own.
    static let all: [[Target]] = [
        [
            Target("Diagnostics"),
            Target(
                "LineProtocol", "Bytes", "Values", "Dialect", "Escaping", "Framing", "Fields",
                "Messages", "Schema"),
        ],
        [
            Target(
                "ChatModel", "Multicast", "MessageLog", "Scenes", "Commands", "Sessions", "Models"),
            Target(
                "DialectFiles", "Yaml", "Reading", ".", "Library", "Explain", "Writing", "Lint",
                "Template"),
            Target("Scenario", "Syntax", "Parsing", "Formatting", "Lint"),
        ],
        [
            Target("ChatStructures"),
            Target(
                "DialectModel", "Patterns", "Matching", "Compiling", "Rendering", "Behaviours"),
            Target(
                "Results", ".", "Coding", "Evidence", "Latency", "Run", "Check", "Load",
                "Comparison", "Files"),
            Target("Transport"),
        ],
        [
            Target("ChatClient", "Values", "Machine", "Client"), Target("MetricsEndpoint"),
            Target("Session", "Program", "Execution", "Schema"), Target("TransportTLS"),
        ],
        [Target("SessionTransport"), Target("Transcript")],
        [
            Target(
                "Capture", "Text", "File", "Packets", "Streams", "Conversation", "Latency", "Output"
            ),
            Target("Conformance"),
            Target(
                "Load", "Schedule", "Latency", "Ledger", "Script", "Operators", "Scenarios",
                "Fleet",
                "Processes", "Plan", "Shards", "Search", "Results"),
            Target("Recorder"),
            Target(
                "ReferenceServer", ".", "Faults", "Service", "Wire", "Adapters", "Adapters/Generic",
                "Adapters/IRC", "Adapters/Livechat", "Adapters/MSNP", "Adapters/NATS",
                "Adapters/Plain",
                "Adapters/TeamSpeak", "FaultFilters", "Server"),
            Target(
                "Runner", ".", "Loading", "Finding", "Server", "Execution", "Watching"),
        ],
        [
            Target("LiveCapture"),
            Target(
                "Report", "Text", "XML", "Schema", "Transcript", "Check", "Compare",
                "Pretty", "Load", "CI",
                "HTML/Charts", "HTML", "HTML/Check", "HTML/Load", "Formats"),
        ],
        [
            Target(
                "linejudge", "Support", "Manual", "Options", "Results", "Run", "Check", "Load",
                "Record",
                "Decode", "Commands", ".")
        ],
    ]

    /// Targets whose folders still need one another in a circle. The list may only become shorter.
    static let notYetLayered: Set<String> = ["Conformance"]

    static let targets = all.flatMap(\.self)
    static let layered = targets.filter { !notYetLayered.contains($0.name) }

    /// The index of the layer that a target is in.
    static func layer(of target: String) -> Int? {
        all.firstIndex { $0.contains { $0.name == target } }
    }
}
