/// The order of targets and, within a target, of its folders.
enum Layers {
    /// A target with its folders, lowest first. `.` means the files outside all folders.
    struct Target {
        var name: String
        var folders: [String]

        init(_ name: String, _ folders: String...) {
            self.name = name
            self.folders = folders.isEmpty ? ["."] : folders
        }
    }

    /// The layers, lowest first. A target imports only targets of lower layers.
    static let all: [[Target]] = [
        [
            Target("Diagnostics"), Target("RegularExpressions"),
            Target(
                "LineProtocol", "Bytes", "Values", "Dialect", "Escaping", "Framing", "JSON",
                "Fields",
                "Messages", "Schema"),
        ],
        [
            Target(
                "ChatModel", "Multicast", "MessageLog", "Scenes", "Commands", "Sessions", "Models"),
            Target(
                "DialectFiles", "Yaml", "Settings", "Files", "Reading", ".", "Library", "Explain",
                "Writing",
                "Lint",
                "Template"),
            Target("Scenario", "Syntax", "Parsing", "Formatting", "Lint"),
        ],
        [
            Target("ChatStructures"),
            Target(
                "DialectModel", "Patterns", "Matching", "Secrets", "Compiling", "Rendering",
                "Behaviours"),
            Target(
                "Results", ".", "Coding", "Evidence", "Latency", "Run", "DialectTest", "Check",
                "Load", "Comparison", "Files"),
            Target("Transport", ".", "WebSocket"),
        ],
        [
            Target("ChatClient", "Values", "Machine", "Client"), Target("HTTPEndpoint"),
            Target("Session", "Program", "Names", "Traffic", "Failures", "Execution", "Schema"),
            Target("TransportTLS"),
        ],
        [Target("Console"), Target("SessionTransport"), Target("Transcript")],
        [
            Target(
                "Runner", ".", "Loading", "Finding", "Server", "Execution", "Watching", "Setup")
        ],
        [
            Target(
                "Capture", "Text", "KeyLog", "File", "Packets", "TLS", "Streams", "Slice",
                "Conversation", "Latency", "Output", "Deliveries", "Judging", "Compare",
                "Decoding"),
            Target(
                "Conformance", "Subject", "Server", "Cases", "Oracles", "Scripts", "Checks",
                "Families", "Catalogue", "Execution", "Shrinking", "Running", "Baselines",
                "Fuzzing", "Setup", "DialectTest"),
            Target(
                "Load", "Watching", "Schedule", "Latency", "Ledger", "Script", "Operators",
                "Scenarios",
                "Fleet",
                "Processes", "Plan", "Shards", "Search", "Results", "Setup"),
            Target("Recorder"),
            Target(
                "ReferenceServer", ".", "Faults", "Service", "Wire", "Adapters", "Adapters/Generic",
                "Adapters/IRC", "Adapters/Livechat", "Adapters/MSNP", "Adapters/NATS",
                "Adapters/Plain",
                "Adapters/TeamSpeak", "FaultFilters", "Server"),
        ],
        [
            Target("LiveCapture"),
            Target(
                "Report", "Text", "XML", "Schema", "Transcript", "Check", "Compare",
                "Pretty", "DialectTest", "Load", "CI",
                "HTML/Charts", "HTML", "HTML/Check", "HTML/Load",
                "HTML/Compare", "HTML/Ladder", "Formats"),
        ],
        [
            Target(
                "Jobs", "Output", "Server", "Run", "Check", "Load", "DialectTest", "Decode"),
            Target("Manual"),
        ],
        [
            Target(
                "linejudge", "Support", "Options", "Run", "Check", "Load", "Decode", "Commands",
                ".")
        ],
    ]

    static let targets = all.flatMap(\.self)

    /// The index of the target's layer.
    static func layer(of target: String) -> Int? {
        all.firstIndex { $0.contains { $0.name == target } }
    }
}
