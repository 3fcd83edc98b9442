import ChatClient
import ChatModel
import Foundation
import ReferenceServer
import Testing
import RepositoryFiles

/// The client of `Examples/Chat`, which the pages show.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
    private static let executable = BuiltProgram.url("ChatExample")

    @Test(arguments: [
        ([], 64, "usage: ChatExample HOST:PORT NICKNAME\n"),
        (["127.0.0.1:1"], 64, "usage: ChatExample HOST:PORT NICKNAME\n"),
        (["127.0.0.1:1", "Joe"], 1, "not connected: "),
        (["127.0.0.1:x", "Joe"], 1, "127.0.0.1:x"),
    ])
    func whatCannotWorkEndsWithAReason(
        _ arguments: [String], _ status: Int32, _ reason: String
    ) throws {
        let (ended, errors) = try run(arguments)
        #expect(ended == status)
        #expect(errors.contains(reason), "\(errors)")
        #expect(!errors.contains("Fatal error"), "\(errors)")
    }

    @Test func aTakenNicknameEndsWithAReason() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let (ended, errors) = try run(["127.0.0.1:\(chat.server.port ?? 0)", "joe"])
            #expect(ended == 1)
            #expect(errors == "the nickname joe is taken, choose another\n")
            joe.close()
        }
    }

    /// Runs the example without input, and returns its exit status and what it writes to standard error.
    private func run(_ arguments: [String]) throws -> (Int32, String) {
        let process = Process()
        let errors = Pipe()
        process.executableURL = Self.executable
        process.arguments = arguments
        (process.standardInput, process.standardError) = (FileHandle.nullDevice, errors)
        try process.run()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func theExampleLogsInTalksAndPrintsPushes() async throws {
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
            // It has been pushed before the example's logout is answered.
            try input.fileHandleForWriting.close()
            let said = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(String(decoding: said, as: UTF8.self) == "Ann: Hi Joe\n")
            #expect(process.terminationStatus == 0)
        }
    }
}
