import ChatClient
import ChatModel
import ChatStructures
import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import RepositoryFiles
import Synchronization
import Testing
import Transport

/// The code in `docs/swift-client.md`.
@Suite(.timeLimit(.minutes(5))) struct ClientGuideSnippets {
    // snippet: received message
    struct DidReceive: ChatCommand {
        var identifier: Int
        var text: String
        var sender: String
        var conference: Int
        var hidden: Bool
    }
    // end

    @Test func commands() throws {
        let dialect = try livechat()
        let received = Array("R0004|7|Hello!|Joe|2134|0\n".utf8)
        let sent = Mutex<[UInt8]>([])
        @Sendable func send(_ bytes: [UInt8]) { sent.withLock { $0 += bytes } }
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        // snippet: map commands
        enum Event {
            case message(DidReceive)
            case refusal(LiveChat.Refused)
        }

        var map = CommandMap<Event>(dialect, from: .fromServer)
        try map.on(DidReceive.self) { .message($0) }
        try map.on(LiveChat.Refused.self) { .refusal($0) }

        var reader = CommandReader(map) { warning in print("\(warning)") }
        reader.append(received)  // in pieces of any size
        while let event = try reader.next() {
            switch event {
            case .message(let message): print("\(message.sender): \(message.text)")
            case .refusal(let refusal): print("refused: \(refusal.reason)")
            }
        }

        let link = OperatorLink(CommandProxy(dialect) { bytes in send(bytes) })
        try link.message(from: 12341, chat: 2134, text: "Hello!")  // S0004|12341|2134|Hello!
        // end
        #expect(printed == ["Joe: Hello!"])
        #expect(
            sent.withLock { String(decoding: $0, as: UTF8.self) } == "S0004|12341|2134|Hello!\n")
    }

    struct Options: Codable, Sendable {
        var verbose = false
    }

    // snippet: structured arguments
    struct ActionDone: ChatCommand {
        var conference: Int
        var sender: String
        var action: XMLArgument  // a tree; no entities or document types, limited depth and size
    }

    struct Connect: ChatCommand {
        @JSONArgument var options: Options?  // any Codable
        var at: Date
    }
    // end

    @Test func structuredArguments() throws {
        let text = """
            name: structured
            fields: {separator: '|'}
            commands:
              connect: {from: client, arguments: [options: json, at: time]}
              actionDone: {from: server, arguments: [conference: int, sender: text, action: xml]}

            """
        let dialect = try DialectReader.dialect(from: SourceText(path: "x.yaml", text: text))
        let writer = CommandWriter(dialect, from: .fromClient)
        let connect = Connect(
            options: Options(verbose: true), at: Date(timeIntervalSince1970: 1_772_366_400))
        let bytes = try writer.bytes(of: connect)
        #expect(String(decoding: bytes, as: UTF8.self) == "connect|{\"verbose\":true}|1772366400\n")
        var map = CommandMap<String>(dialect, from: .fromServer)
        try map.on(ActionDone.self) { $0.action.name }
        var reader = CommandReader(map)
        reader.append(Array("actionDone|7|Joe|<ring/>\n".utf8))
        #expect(try reader.next() == "ring")
    }

    struct Percent: ChatCommand {
        var text: String

        // snippet: own format
        static func format(_ dialect: inout Dialect) {
            dialect.escaping = PerDirection(Escaping(field: .percent(encoded: [0x7C])))
        }
        // end
    }

    @Test func ownFormat() throws {
        var dialect = try livechat()
        Percent.format(&dialect)
        #expect(dialect.escaping.fromServer == Escaping(field: .percent(encoded: [0x7C])))
    }

    @Test func client() async throws {
        try await ServerWithClients.run { chat in
            let (dialect, address) = (chat.dialect, chat.endpoint.description)
            let queue = DispatchQueue(label: "results")
            // snippet: client
            let client = try ChatClient(speaking: dialect, at: address)
            try client.add(
                Listener(named: "view", on: .actor(MainActor.shared)) { event in print(event) })
            let session = try await client.logIn(as: ChatAccount(name: "Joe", password: "secret"))
            print("logged in as \(session.nickname)")
            try await client.join(2134)

            try await client.say("Hello!", in: 2134)  // returns when the server has handled it
            client.say("Hello again!", in: 2134, on: .queue { queue.async(execute: $0) }) {
                result in
                print(result)  // `say` itself has returned at once
            }
            // end
            // The second message is sent in the background.
            for _ in 0..<1_000 where client.messages.messages.count < 2 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(client.messages.messages.map(\.text) == ["Hello!", "Hello again!"])
            try await client.logOut()
            client.close()
        }
    }

    /// The manifest in the page is valid, and its dependencies are products of this package.
    @Test func manifest() async throws {
        let blocks = SwiftBlock.all(try Repository.text("docs/swift-client.md"))
        let manifest = try #require(blocks.first { $0.code.hasPrefix("// swift-tools") }).code
        let own = try Repository.text("Package.swift")
        let products = manifest.matches(of: /\.product\(name: "(\w+)", package: "linejudge"\)/)
        #expect(products.count == 2)
        for product in products {
            #expect(own.contains(".library(name: \"\(product.1)\""), "\(product.1)")
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-manifest-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift", "package", "dump-package", "--package-path", folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: json, as: UTF8.self).contains("\"mychat\""))
    }
}
