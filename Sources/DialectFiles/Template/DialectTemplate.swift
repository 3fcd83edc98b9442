/// The template for new dialect files.
public enum DialectTemplate {
    /// Returns true if a word can be the name of a dialect: letters, digits and `_`, with single
    /// `-` between them, starting with a letter or `_`.
    public static func isName(_ word: String) -> Bool { isIdentifier(word) }

    /// Returns a commented template for a dialect with this name. It can be read without errors.
    ///
    /// - Parameter name: a valid name. Anything else is replaced by `mychat`.
    public static func text(name: String) -> String {
        let name = isIdentifier(name) ? name : "mychat"
        return body.replacing("NAME", with: name, maxReplacements: 1)
    }

    private static let body = #"""
        # Protocol of the server. Reference: docs/dialect-language.md.
        name: NAME
        summary: One-line description
        # port: 7000

        framing:
          terminator: LF            # line terminator: LF, CRLF, CR, NUL, LFCR, CRNUL, 0xHH
          # accept: [LF, CRLF]      # terminators to accept, if more than one
          limits: {line: 4096}      # bytes, including the terminator
          overflow: '?'             # overlong lines: truncate, reject, discard, close; '?': unspecified

        fields:
          separator: '|'            # for words separated by spaces: `space`, with `runs: true`
          # runs: true              # consecutive separators count as one
          # trailing: ':'           # starts a last field that takes the rest of the line

        escaping:                   # or `escaping: none`: values that cannot be sent are refused
          escape: '\'
          letters: {'\': '\', '|': '|', n: LF, r: CR}

        # How a peer handles too few, too many and invalid arguments.
        tolerance: {too-few: fill, too-many: ignore, mismatch: zero}

        commands:
          login:
            wire: LOGIN             # name on the wire; default: the name above
            from: client            # client, server or both
            arguments: [name: text]
          welcome:
            wire: WELCOME
            from: server
            arguments: [id: int, name: text]
          refused:
            wire: SORRY
            from: server
            arguments: [code: int, reason: text]
          say:
            wire: SAY
            from: client
            arguments: [to: text, text: text]   # `to`: a user or a room
          said:
            wire: SAID
            from: server
            arguments: [from: text, to: text, text: text]
          ping: {wire: PING, from: client, arguments: [token: text]}
          pong: {wire: PONG, from: server, arguments: [token: text]}

        # Scenario text without operator names, used by `check` and `load`.
        behaviours:
          login: |                  # parameter: name
            -> login(name: {{name}})
            <~ welcome(name: {{name}})
          probe: |                  # a command that a working server always answers
            -> ping(token: {{token}})
            <~ pong(token: {{token}})
          relay: |                  # parameters: to, text; a message to one user
            -> say(to: {{to}}, text: {{text}})
          arrival: |                # parameters: from, text
            <~ said(from: {{from}}, text: {{text}})
          say: |                    # parameters: room, text; a message to everyone in a room
            -> say(to: {{room}}, text: {{text}})
          heard: |                  # parameters: from, room, text
            <~ said(from: {{from}}, to: {{room}}, text: {{text}})
          # enter: |                # parameter: room; needed if clients must join rooms
          #   -> join(room: {{room}})
          keepalive: |
            -> ping(token: {{token}})
          logout: |
            close

        rejects:                    # patterns of refusals
          - refused()

        ignores:                    # patterns of unsolicited lines
          - pong()

        timing:
          keepalive: 15s
        """# + "\n"
}
