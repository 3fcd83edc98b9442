import ChatClient
import DialectFiles
import Foundation

/// Prints the reason to standard error and exits.
func fail(_ reason: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(reason)\n".utf8))
    exit(status)
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fail("usage: ChatExample HOST:PORT NICKNAME", status: 64) }
do {
    let dialect = try DialectLibrary.find("livechat").dialect
    let client = try ChatClient(speaking: dialect, at: arguments[1])
    let events = try client.events()
    let printing = Task {
        for await case .message(let message) in events where !message.isOwn {
            print("\(message.sender): \(message.text)")
        }
    }
    try await client.logIn(as: ChatAccount(nickname: arguments[2]))
    try await client.join(2134)
    while let line = readLine() {
        do { try await client.say(line, in: 2134) } catch { print("not sent: \(error)") }
    }
    try await client.logOut()
    client.close()
    await printing.value
} catch let error as ChatError where error.isConflict {
    fail("the nickname \(arguments[2]) is taken, choose another", status: 1)
} catch {
    fail("\(error)", status: 1)
}
