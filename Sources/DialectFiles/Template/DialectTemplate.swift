/// A dialect file to begin with.
public enum DialectTemplate {
    /// Whether a word can be a dialect's name: letters, digits, `_` and single `-`, a letter first.
    public static func isName(_ word: String) -> Bool { isIdentifier(word) }

    /// The commented starting file for a dialect of this name; it reads without an error.
    ///
    /// - Parameter name: a name; anything else becomes `mychat`.
    public static func text(name: String) -> String {
        let name = isIdentifier(name) ? name : "mychat"
        return body.replacing("NAME", with: name, maxReplacements: 1)
    }

    private static let body = #"""
        # How the server speaks. Reference: docs/dialect-language.md.
        name: NAME
        summary: What it is, in a line
        # port: 7000

        framing:
          terminator: LF            # what ends a line: LF, CRLF, CR, NUL, LFCR, CRNUL, 0xHH
          # accept: [LF, CRLF]      # what is taken as a line's end, if that is more
          limits: {line: 4096}      # bytes, with the terminator
          overflow: '?'             # a longer line: truncate, reject, discard, close; '?' = to be measured

        fields:
          separator: '|'            # between fields; `blank` with `runs: true` for words
          # runs: true              # several separators count as one
          # trailing: ':'           # opens a last field that takes the rest of the line

        escaping:                   # or `escaping: none`: what cannot be sent is refused
          escape: '\'
          letters: {'\': '\', '|': '|', n: LF, r: CR}

        # What a peer does with too few, too many and wrong arguments.
        tolerance: {too-few: fill, too-many: ignore, mismatch: zero}

        commands:
          login:
            wire: LOGIN             # as on the wire; left out, it is the name above
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
            arguments: [text: text, hidden: bool = false]
          said:
            wire: SAID
            from: server
            arguments: [from: text, text: text, hidden: bool]
          ping: {wire: PING, from: client, arguments: [token: text]}
          pong: {wire: PONG, from: server, arguments: [token: text]}

        # From these alone `check` and `load` work: scenario text without operator names.
        behaviours:
          login: |                  # given: name
            -> login(name: {{name}})
            <~ welcome(name: {{name}})
          probe: |                  # a command that a live server always answers
            -> ping(token: {{token}})
            <~ pong(token: {{token}})
          relay: |                  # given: to, text
            -> say(text: {{text}})
          arrival: |                # given: from, text
            <~ said(from: {{from}}, text: {{text}})
          keepalive: |
            -> ping(token: {{token}})
          logout: |
            close

        rejects:                    # how refusals look
          - refused()

        ignores:                    # what comes unasked
          - pong()

        timing:
          keepalive: 15s
        """# + "\n"
}
