import Console
import Foundation
import Report
import Results
import Testing

/// Workflow commands of GitHub Actions: only our own are executed.
struct WorkflowCommandTests {
    /// A command that the runner would execute, as in its `ActionCommand.cs`.
    static func command(in line: String) -> String? {
        let registered = [
            "set-output", "add-mask", "stop-commands", "endgroup", "group", "error", "warning",
            "notice", "save-state", "set-env", "add-path", "debug", "echo", "add-matcher",
        ]
        let trimmed = line.drop(while: \.isWhitespace)
        if trimmed.hasPrefix("::"), let end = trimmed.dropFirst(2).firstRange(of: "::") {
            let head = trimmed.dropFirst(2)[..<end.lowerBound]
            let name = String(head.prefix { $0 != " " })
            if registered.contains(name.lowercased()) { return name }
        }
        guard let start = line.firstRange(of: "##["), line[start.upperBound...].contains("]")
        else { return nil }
        let name = String(line[start.upperBound...].prefix { $0 != " " && $0 != "]" })
        return registered.contains(name.lowercased()) ? name : nil
    }

    static let hostile = [
        "::set-output name=x::y", "  \t::add-mask::secret", "::endgroup::", "a\n::error::b",
        "a\r::error::b", "::stop-commands::token", "\u{A0}::group::x", "\u{3000}::group::x",
        "received \"##[add-mask]x\"", "##[group]", "###[error]x", "text ##[SET-ENV name=A]b",
        "##[error]##[error]",
    ]

    private static func filtered(_ parts: [[UInt8]]) -> String {
        var filter = WorkflowCommandFilter()
        return String(decoding: parts.flatMap { filter.filtered($0) }, as: UTF8.self)
    }

    @Test(arguments: hostile)
    func filterDisarmsCommands(_ text: String) {
        let before = text.split(whereSeparator: \.isNewline).compactMap {
            Self.command(in: String($0))
        }
        #expect(!before.isEmpty, "it is not a command to begin with")
        let filtered = Self.filtered([Array(text.utf8)])
        for line in filtered.split(whereSeparator: \.isNewline) {
            #expect(Self.command(in: String(line)) == nil, "\(line)")
        }
    }

    @Test(arguments: hostile)
    func filterDisarmsCommandsDividedAnywhere(_ text: String) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            let filtered = Self.filtered([Array(bytes[..<split]), Array(bytes[split...])])
            for line in filtered.split(whereSeparator: \.isNewline) {
                #expect(Self.command(in: String(line)) == nil, "\(split): \(line)")
            }
        }
    }

    @Test(arguments: [
        "3 scenarios in 4 ms: 1 failed\n", "alice <- ::x\n", "std::string\n", "a: b\n",
        ":irc 001\n",
        "  :irc 001\n", "## heading\n", "#channel ##chan #[x]\n", "{\"a\": \"::b\"}\n",
    ])
    func filterKeepsOtherText(_ text: String) {
        // `##chan` could be the start of a command of another system.
        let expected = text.replacing("##chan", with: "#\\u0023chan")
        #expect(Self.filtered([Array(text.utf8)]) == expected)
    }

    @Test func filteredJSONHasTheSameMeaning() throws {
        let value = ["text": "##[add-mask]x", "more": "::a"]
        let text = Self.filtered([Array(try JSONEncoder().encode(value))])
        #expect(!text.contains("##["))
        #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == value)
    }

    @Test func messagesOfAnnotationsStayInTheirLine() {
        var results = Sample.results
        results.scenarios[0].verdict = .failed
        results.scenarios[0].reason = "got \n::set-output name=x::y %0A\r::endgroup::"
        results.scenarios[0].title = "a\n::stop-commands::x,file=b:c"
        for line in GitHubReport.text(results).split(whereSeparator: \.isNewline) {
            let name = Self.command(in: String(line))
            #expect(["error", "warning", "notice"].contains(name), "\(line)")
        }
        let group = GitHubCommand.group("x\n::add-mask::y")
        #expect(group == "::group::x\\n::add-mask::y\n")
    }
}

/// Detection of CI systems.
struct CISystemTests {
    @Test(arguments: [
        (["GITHUB_ACTIONS": "true", "CI": "true"], true), (["GITHUB_ACTIONS": "false"], nil),
        (["CI": "true"], false), (["CI": "1"], false), (["CI": "woodpecker"], false),
        (["CI": ""], nil), (["CI": "false"], nil), (["CI": "0"], nil), ([:], nil),
    ])
    func systemIsDetected(_ environment: [String: String], _ isGitHub: Bool?) {
        let system = CISystem(environment: environment)
        #expect(system.map { $0.githubJob != nil } == isGitHub)
    }

    @Test(arguments: [
        ("/w/repo", "/w/repo", "a.chat", "a.chat"),
        ("/w/repo", "/w/repo", "./a.chat", "a.chat"),
        ("/w/repo", "/w/repo", "b//./c/../a.chat", "b/a.chat"),
        ("/w/repo/", "/w/repo/tests", "a.chat", "tests/a.chat"),
        ("/w/repo", "/w/repo/sub", "../a.chat", "a.chat"),
        ("/w/repo", "/w/repo/a/b", "/w/repo/c/../d.chat", "d.chat"),
        ("/w/repo", "/w/repo", "../other/a.chat", "/w/other/a.chat"),
        ("/w/repo", "/w/repository", "a.chat", "/w/repository/a.chat"),
        ("/w/repo", "/w/repo", "/../tmp/a.chat", "/tmp/a.chat"),
        ("", "/w", "./a.chat", "a.chat"), ("", "/w", "../a.chat", "/a.chat"),
    ])
    func pathsAreRelativeToTheRepository(
        _ root: String, _ folder: String, _ path: String, _ expected: String
    ) {
        let job = GitHubJob(environment: ["GITHUB_WORKSPACE": root])
        #expect(job.paths(in: folder).path(path) == expected)
    }

    @Test func repositoryBehindASymbolicLinkIsRecognised() {
        let job = GitHubJob(environment: ["GITHUB_WORKSPACE": "/link/repo"])
        let paths = job.paths(in: "/disk/repo/tests") { _ in "/disk/repo" }
        #expect(paths.path("a.chat") == "tests/a.chat")
        #expect(paths.path("/link/repo/tests/b.chat") == "tests/b.chat")
    }

    @Test(arguments: [("./a/../b.chat", "b.chat"), ("../a.chat", "../a.chat"), ("/a/./b", "/a/b")])
    func pathsOfAnUnknownRepositoryAreOnlySimplified(_ path: String, _ expected: String) {
        #expect(RepositoryPathConverter().path(path) == expected)
    }
}
