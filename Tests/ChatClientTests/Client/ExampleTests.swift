import ChatClient
import ChatModel
import Foundation
import ReferenceServer
import Testing

/// Compiles and runs the client shown in the README.
@Suite(.timeLimit(.minutes(1))) struct ExampleTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Located next to the test bundle.
    static let executable =
        Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        .map { $0.appending(path: "ChatExample") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        ?? root.appending(path: ".build/debug/ChatExample")

    @Test func theReadmeShowsTheExample() throws {
        let example = try String(
            contentsOf: Self.root.appending(path: "Examples/Chat/main.swift"), encoding: .utf8)
        let shown = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(shown.contains("```swift\n\(example)```"))
        #expect(example.split(separator: "\n").count <= 20)
    }

    @Test func theExampleRuns() async throws {
        try await ServerWithClients.run { chat in
            let ann = try await chat.client("Ann")
            try await ann.join(2134)
            var events = try ann.events().makeAsyncIterator()
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = Self.executable
            process.arguments = ["127.0.0.1:\(chat.server.port ?? 0)", "Joe"]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data("Hello!\n".utf8))
            #expect(await next(&events) { $0.text } == "Hello!")
            try await ann.say("Hi Joe", in: 2134)
            // The message arrives before the answer to the example's logout.
            try input.fileHandleForWriting.close()
            let printed = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(String(decoding: printed, as: UTF8.self) == "Ann: Hi Joe\n")
            #expect(process.terminationStatus == 0)
        }
    }
}
