import DialectFiles
import DialectModel
import LineProtocol

@testable import Capture

/// A conversation in an IRC channel, from which tests build captures line by line. Each packet comes
/// one millisecond after the one before, on any connection.
struct Talk {
    var connections: [ScriptedConnection] = []
    private var names: [String] = []
    private var time = ScriptedConnection().time
    private var isLate = false

    /// Logs the users in. They join the channel `#tea`.
    init(_ names: [String]) {
        for name in names { join(name, room: "#tea") }
    }

    mutating func join(_ name: String, room: String?) {
        let number = connections.count + 1
        connections.append(ScriptedConnection(client: "10.0.0.\(number):5000\(number)"))
        names.append(name)
        edit(name) { $0.open() }
        send(name, "NICK \(name)\r\nUSER \(name) 0 * :\(name)")
        serve(name, "001 \(name) :Welcome")
        guard let room else { return }
        send(name, "JOIN \(room)")
        serve(name, "JOIN \(room)", from: name)
        serve(name, "366 \(name) \(room) :End of /NAMES list.")
    }

    private mutating func edit(_ name: String, _ body: (inout ScriptedConnection) -> Void) {
        guard let index = names.firstIndex(of: name) else { return }
        connections[index].time = time
        body(&connections[index])
        time = max(time + 1_000_000, connections[index].time)
    }

    mutating func wait(seconds: Int64) { time += seconds * 1_000_000_000 }

    /// Sends a line from a client, and acknowledges it.
    mutating func send(_ name: String, _ line: String, isCaptured: Bool = true) {
        edit(name) { connection in
            var rest = Array((line + "\r\n").utf8)[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(30_000))
                connection.send(part, isCaptured: isCaptured)
                rest = rest.dropFirst(part.count)
            }
            connection.acknowledge()
        }
    }

    /// Sends a line from the server, and acknowledges it.
    mutating func serve(
        _ name: String, _ line: String, from source: String? = nil, isCaptured: Bool = true
    ) {
        edit(name) { connection in
            connection.send(
                ":" + (source.map { "\($0)!\($0.prefix(1))@h" } ?? "srv") + " " + line + "\r\n",
                fromClient: false, isCaptured: isCaptured)
            connection.acknowledge(fromClient: true)
        }
    }

    mutating func say(_ name: String, _ text: String, to target: String = "#tea") {
        send(name, "PRIVMSG \(target) :\(text)")
    }

    mutating func deliver(
        _ text: String, from sender: String, to names: [String], isCaptured: Bool = true
    ) {
        for name in names {
            serve(name, "PRIVMSG #tea :\(text)", from: sender, isCaptured: isCaptured)
        }
    }

    /// Sends a probe and its answer.
    mutating func probe(_ name: String, _ token: String) {
        send(name, "PING \(token)")
        serve(name, "PONG srv \(token)")
    }

    mutating func close(_ name: String) { edit(name) { $0.close() } }

    mutating func reset(_ name: String) {
        edit(name) { $0.append($0.packet(fromClient: true, "", [.rst])) }
    }

    /// Removes all packets so far from the capture.
    mutating func startLate() {
        for index in connections.indices { connections[index].packets = [] }
    }

    func account() throws -> Account { try Account(connections, "irc") }
}

/// The account of the messages in a capture.
struct Account {
    var counts: DeliveryCounts
    var text: String
    var json: String

    /// The problems, with their numbers.
    var kinds: [DeliveryFinding.Kind: Int] {
        var kinds: [DeliveryFinding.Kind: Int] = [:]
        for kind in DeliveryFinding.Kind.allCases where counts[kind] > 0 {
            kinds[kind] = counts[kind]
        }
        return kinds
    }

    init(_ connections: [ScriptedConnection], _ name: String) throws {
        let packets = connections.flatMap(\.packets).sorted { $0.time < $1.time }
        try self.init(CaptureWriter.pcap(packets), name)
    }

    init(_ capture: [UInt8], _ name: String) throws {
        let dialect = BoundDialect(try DialectLibrary.find(name).dialect)
        func decode(_ receiver: some DeliveryReceiver) throws -> DeliveriesSink {
            var decoder = CaptureDecoder(
                MemorySource(capture), DeliveriesSink(dialect, receiver), dialect,
                ReassemblyOptions())
            try decoder.run()
            decoder.finish()
            return decoder.sink
        }
        let (text, json) = (SharedText(), SharedText())
        let sink = try decode(DeliveriesText(text, LogOptions(), files: []))
        _ = try decode(DeliveriesJSON(json, files: []))
        counts = sink.counts
        self.text = String(decoding: text.bytes, as: UTF8.self)
        self.json = String(decoding: json.bytes, as: UTF8.self)
    }
}

/// A text sink whose copies share their bytes.
private final class SharedText: TextSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes.append(contentsOf: bytes) }
}
