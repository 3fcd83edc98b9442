import Testing

/// `--vars` through the executable.
struct VariablesTests {
    static let files = [
        "a.chat": """
        dialect livechat
        operators maria
        secret password

        use login
        maria -> sendMessage(from: 431, chat: 7, text: "{{word}} {{password}}")
        maria <- didReceive(text: "x")  within 100ms

        """,
        "a.env": "word=first\nexport LINEJUDGE_SECRET_password='hunter2' # kept out\n",
        "b.yaml": "word: second\n", "bad.env": "word first\n",
    ]

    @Test(arguments: [
        (["--vars", "a.env"], "first ***"),
        (["--vars", "a.env", "--vars", "b.yaml"], "second ***"),
        (["--var", "word=third", "--vars", "a.env"], "third ***"),
    ])
    func lastSourceWinsAndSecretsAreMasked(_ options: [String], _ sent: String) async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(["run", "a.chat", "--transcript"] + options)
                .within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains(sent), "\(outcome.output)")
            #expect(!outcome.all.contains("hunter2"))
        }
    }

    @Test(arguments: ["run a.chat", "check --dialect irc --list", "load --dialect irc --for 1s"])
    func mistakeIsReportedByEveryCommand(_ words: String) async throws {
        try await Files.with(Self.files) { folder in
            let command = words.split(separator: " ").map(String.init)
            let outcome = try await Command(command + ["--vars", "bad.env"]).within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.errors.contains("--> bad.env:1:1"), "\(outcome.errors)")
            let missing = try await Command(command + ["--vars", "no.env"]).within(folder).run()
            #expect(missing.status == 66, "\(missing.all)")
        }
    }
}
