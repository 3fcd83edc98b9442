import Foundation
import Testing

/// The generated completion script, in a real bash.
struct CompletionTests {
    private static let files = [
        "login.chat": "title  a login\ntags   smoke, slow\noperators alice\n",
        "mychat.yaml": "name: mychat\n", "notes.txt": "", "traffic.pcap": "",
    ]

    @Test(arguments: [
        (["run", ""], ["login.chat"]), (["decode", "t"], ["traffic.pcap"]),
        (["run", "--color", ""], ["auto", "always", "never"]),
        (["run", "--segment", "mid"], ["mid-crlf", "mid-letter"]),
        (["run", "--report", "j"], ["json=report.json", "junit=report.xml"]),
        (["run", "--report", "git"], ["github"]), (["run", "--format", "t"], ["tap"]),
        (["run", "--tag", "s"], ["slow", "smoke"]),
        (["run", "--dialect", "m"], ["msnp", "mychat", "mychat.yaml"]),
        (["check", "--dialect", "irc+ng"], ["irc+ngircd"]),
        (["serve", "--fault", "dro"], ["drop"]), (["load", "--kind", "slow"], ["slow-reader"]),
        (["load", "--report", "h"], ["html=report.html", "hgrm=report.hgrm"]),
        (["load", ""], ["login.chat", "mychat.yaml"]),
        (["dialect", "explain", "--from", ""], ["client", "server"]),
    ])
    func wordIsCompleted(_ words: [String], _ expected: [String]) async throws {
        let script = try await Command("--generate-completion-script", "bash").run().output
        try await Files.with(Self.files.merging(["linejudge.bash": script]) { $1 }) { folder in
            let line = ([Command.executable.path] + words).map { "'\($0)'" }
            let previous = words.count > 1 ? words[words.count - 2] : "linejudge"
            var bash = Command(
                "-c",
                """
                source ./linejudge.bash
                COMP_WORDS=(\(line.joined(separator: " ")))
                COMP_CWORD=\(words.count)
                COMP_LINE="${COMP_WORDS[*]}"
                COMP_POINT=${#COMP_LINE}
                _linejudge linejudge '\(words.last ?? "")' '\(previous)'
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            bash.program = URL(filePath: "/bin/bash")
            let outcome = try await bash.within(folder).run()
            let found = Set(outcome.output.split(separator: "\n").map(String.init))
            #expect(found.isSuperset(of: expected), "\(outcome.all)")
            #expect(!found.contains("notes.txt"))
        }
    }
}
