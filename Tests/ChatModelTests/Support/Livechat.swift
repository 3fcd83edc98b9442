import ChatModel
import DialectFiles
import LineProtocol
import Synchronization

/// Returns the built-in dialect `livechat`.
func livechat() throws -> Dialect { try DialectLibrary.find("livechat").dialect }

extension Dialect {
    /// Returns the dialect with one command changed.
    func changing(_ name: String, _ change: (inout CommandSignature) -> Void) -> Dialect {
        var dialect = self
        dialect.commands = CommandTable(
            commands.signatures.map { signature in
                var signature = signature
                if signature.name == name { change(&signature) }
                return signature
            })
        return dialect
    }

    /// Returns the dialect with only these commands.
    func with(_ commands: CommandSignature...) -> Dialect {
        var dialect = self
        dialect.commands = CommandTable(commands)
        return dialect
    }

    /// Decodes one line.
    func read<Command: ChatCommand>(
        _ type: Command.Type, _ line: String, from direction: Direction = .fromServer
    ) throws -> Command? {
        try readAll(type, line + "\n", from: direction).first
    }

    /// Decodes lines; returns the commands and the warnings.
    func readAll<Command: ChatCommand>(
        _ type: Command.Type, _ lines: String, from direction: Direction = .fromServer,
        warn: @escaping (CommandWarning) -> Void = { _ in }
    ) throws -> [Command] {
        var map = CommandMap<Command>(self, from: direction)
        try map.on(type) { $0 }
        var reader = CommandReader(map, warn: warn)
        reader.append(Array(lines.utf8))
        var commands: [Command] = []
        while let command = try reader.next() { commands.append(command) }
        return commands
    }

    /// Encodes a command as a line without its terminator.
    func line(
        _ command: some ChatCommand, from direction: Direction = .fromServer
    ) throws -> String {
        let bytes = try CommandWriter(self, from: direction).bytes(of: command)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}

/// The bytes that a proxy sent.
final class Sent: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func take(_ more: [UInt8]) { bytes.withLock { $0 += more } }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
