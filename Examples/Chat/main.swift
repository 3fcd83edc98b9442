import ChatClient
import DialectFiles

let arguments = CommandLine.arguments.dropFirst() + ["127.0.0.1:7070", "Joe"]
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
