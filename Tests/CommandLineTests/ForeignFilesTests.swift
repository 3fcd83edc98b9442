import Foundation
import Testing

/// Scenarios and dialects from others.
struct ForeignFilesTests {
    private static let files = [
        "private/shadow": "root:canary7:19000:0:99999:7:::\n",
        "private/rows.csv": "word\ncanary7\n",
        "private/ours.chat": "dialect irc\n\nfragment canary7 {\n}\n",
        "theirs/good.chat": "dialect irc\noperators a\n\na connect\n",
        "theirs/exec.chat":
            "dialect irc\noperators a\nexec \"touch {{dir}}/../started\"\n\na connect\n",
        "theirs/include.chat":
            "dialect irc\ninclude \"linked.chat\"\noperators a\n\na connect\n",
        "theirs/data.chat":
            "dialect plain\ndata \"linked.csv\"\noperators a\n\na -> {{word}}\n",
        "theirs/dialect.chat": "dialect linked.yaml\noperators a\n\na connect\n",
        "theirs/based.chat": "dialect based.yaml\noperators a\n\na connect\n",
        "theirs/based.yaml": "name: based\nbased-on: linked.yaml\n",
        "theirs/near.chat": "dialect near.yaml\noperators a\n\na connect\n",
        "theirs/near.yaml": "name: near\nbased-on: ../private/base.yaml\n",
        "theirs/included.chat": "dialect included.yaml\noperators a\n\na connect\n",
        "theirs/included.yaml": "name: included\ninclude: linked.yaml\n",
        "theirs/part.chat": "dialect part.yaml\noperators a\n\na connect\n",
        "theirs/part.yaml": "name: part\ninclude: ../private/part.yaml\n",
        "private/part.yaml": "commands: {a: {from: client}}\n",
        "private/base.yaml": "name: base\nfields: {separator: '|'}\n",
        "theirs/inside.chat": "dialect irc\ninclude \"sub/link.chat\"\noperators a\n\na connect\n",
        "theirs/parent.chat":
            "dialect irc\ninclude \"../theirs/sub/link.chat\"\noperators a\n\na connect\n",
        "theirs/sub/real.chat": "dialect irc\n\nfragment f {\n    -> QUIT\n}\n",
    ]

    private static let links = [
        ("theirs/scenario.chat", "../private/shadow"),
        ("theirs/linked.chat", "../private/ours.chat"),
        ("theirs/linked.csv", "../private/rows.csv"), ("theirs/linked.yaml", "../private/shadow"),
        ("theirs/sub/link.chat", "real.chat"),
    ]

    private static func with<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        try await Files.with(files) { folder in
            for (link, target) in links {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: link).path, withDestinationPath: target)
            }
            return try await body(folder)
        }
    }

    @Test(arguments: [
        ["run", "theirs/scenario.chat"], ["lint", "theirs/scenario.chat"],
        ["run", "--dry-run", "theirs/include.chat"], ["lint", "theirs/include.chat"],
        ["run", "theirs/data.chat"], ["run", "theirs/dialect.chat"], ["run", "theirs/based.chat"],
        ["run", "theirs/included.chat"], ["lint", "theirs/included.chat"],
        ["run", "theirs"],
        ["check", "--dialect", "theirs/linked.yaml"],
        ["load", "theirs/scenario.chat", "--dialect", "irc"],
    ])
    func linksOutOfTheFolderAreRefused(_ words: [String]) async throws {
        try await Self.with { folder in
            let outcome = try await Command(words).within(folder).run()
            #expect(outcome.status != 0, "\(outcome.all)")
            #expect(outcome.all.contains("it is a link to a file outside"), "\(outcome.all)")
            #expect(!outcome.all.contains("canary7"), "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ["theirs/inside.chat"], ["theirs/parent.chat"], ["theirs/good.chat"],
        ["theirs/near.chat"], ["theirs/part.chat"],
        ["--follow-links", "theirs/include.chat"],
    ])
    func otherLinksAreFollowed(_ words: [String]) async throws {
        try await Self.with { folder in
            let outcome = try await Command(["run", "--dry-run"] + words).within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
    }

    @Test func programsAreNotStartedWithoutPermission() async throws {
        try await Self.with { folder in
            let outcome = try await Command(
                "run", "--no-exec", "theirs/exec.chat", "theirs/good.chat"
            )
            .with(environment: ["TMPDIR": folder.path]).within(folder).run()
            #expect(outcome.status != 0, "\(outcome.all)")
            #expect(
                outcome.all.contains("--no-exec does not allow scenarios that start a program"),
                "\(outcome.all)")
            #expect(outcome.all.contains("exec.chat:3"), "\(outcome.all)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/started"))
        }
    }
}
