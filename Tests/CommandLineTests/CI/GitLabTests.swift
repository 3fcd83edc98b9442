import Foundation
import Testing

/// The template in `ci/gitlab.yml`, run as GitLab runs a job: all lines in one shell.
struct GitLabTests {
    private static func job() throws -> [String: Any] {
        let yaml = try Files.text(Files.root.appending(path: "ci/gitlab.yml"))
        let file = try #require(try YamlFile.load(yaml))
        return try #require(file[".linejudge"] as? [String: Any])
    }

    @Test(arguments: [true, false])
    func linejudgeIsDownloadedCheckedAndInThePath(isWhole: Bool) async throws {
        let before = try #require(try Self.job()["before_script"] as? [String])
        try await Files.with { folder in
            let release = ReleaseFolder(folder)
            try await release.make(isWhole: isWhole)
            let sums = try Files.text(release.url.appending(path: "SHA256SUMS"))
            var shell = Command("-ec", (before + ["linejudge run tests"]).joined(separator: "\n"))
            shell.program = URL(filePath: "/bin/sh")
            let outcome = try await shell.within(folder).with(environment: [
                "TOOL_ARCHIVE": release.url.appending(path: "archive.tar.gz").absoluteString,
                "TOOL_SHA256": String(sums.prefix { $0 != " " }),
            ]).run()
            #expect(outcome.status == (isWhole ? 3 : 1), "\(outcome.all)")
            #expect(outcome.output.contains("arguments: run tests") == isWhole)
        }
    }

    @Test func theArchiveIsThatOfTheCurrentVersion() async throws {
        let version = try await Command("--version").run().output.dropLast()
        let variables = try #require(try Self.job()["variables"] as? [String: String])
        let archive = try #require(variables["TOOL_ARCHIVE"])
        #expect(archive.hasSuffix("/v\(version)/linejudge-\(version)-linux-x86_64.tar.gz"))
        // Such variables would set options of linejudge.
        #expect(!variables.keys.contains { $0.hasPrefix("LINEJUDGE_") })
    }
}
