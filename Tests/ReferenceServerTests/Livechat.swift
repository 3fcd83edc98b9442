import DialectFiles
import LineProtocol

/// The built-in dialect that the server speaks.
func livechat() throws -> Dialect {
    try DialectLibrary.find("livechat").dialect
}

extension Dialect {
    /// The dialect without the command of this message name.
    func without(_ name: String) -> Dialect {
        var dialect = self
        dialect.commands = CommandTable(commands.signatures.filter { $0.name != name })
        return dialect
    }

    /// The dialect with one command changed.
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
}
