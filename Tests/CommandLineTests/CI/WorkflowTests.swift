import Foundation
import Testing

/// The workflows of this project: what they call exists.
struct WorkflowTests {
    private static func steps(of name: String) throws -> [[String: Any]] {
        let yaml = try Files.text(Files.root.appending(path: ".github/workflows/\(name)"))
        let workflow = try #require(try YamlFile.load(yaml))
        let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
        return jobs.values.flatMap { $0["steps"] as? [[String: Any]] ?? [] }
    }

    @Test(arguments: ["test.yml", "nightly.yml", "release.yml"])
    func scriptsAreValidAndTheirTargetsExist(name: String) async throws {
        let scripts = try Self.steps(of: name).compactMap { $0["run"] as? String }
        #expect(!scripts.isEmpty)
        let makefile = try Files.text(Files.root.appending(path: "Makefile"))
        for script in scripts {
            var bash = Command("-n", "-c", script)
            bash.program = URL(filePath: "/bin/bash")
            let outcome = try await bash.run()
            #expect(outcome.status == 0, "\(outcome.all)")
            for match in script.matches(of: /\bmake ([a-z-]+)\b/) where match.1 != "python" {
                #expect(makefile.contains("\n\(match.1):"), "no target \(match.1)")
            }
            for match in script.matches(of: /(packaging|\.ci)\/[a-z.-]+/) {
                let file = Files.root.appending(path: String(match.0))
                #expect(FileManager.default.isExecutableFile(atPath: file.path), "\(match.0)")
            }
        }
    }

    @Test func nightlyTasksAreTargets() throws {
        let yaml = try Files.text(Files.root.appending(path: ".github/workflows/nightly.yml"))
        let tasks = try #require(yaml.firstMatch(of: /task: \[(.+)\]/)).1.split(separator: ", ")
        let makefile = try Files.text(Files.root.appending(path: "Makefile"))
        #expect(tasks.count == 7)
        for target in tasks.flatMap({ $0.split(separator: " ") }) where !target.contains("=") {
            #expect(makefile.contains("\n\(target):"), "no target \(target)")
        }
    }

    /// Actions are pinned to a major version at least.
    @Test(arguments: ["test.yml", "nightly.yml", "release.yml"])
    func actionsHaveAVersion(name: String) throws {
        let used = try Self.steps(of: name).compactMap { $0["uses"] as? String }
        #expect(!used.isEmpty)
        #expect(used.allSatisfy { $0.contains(/^[a-z]+\/[a-z-]+@v[0-9]+$/) }, "\(used)")
    }

    @Test func releaseNotesAreTheSectionOfTheChangelog() async throws {
        var notes = Command("Unreleased")
        notes.program = Files.root.appending(path: "packaging/release-notes.sh")
        let outcome = try await notes.run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("### Added"))
        #expect(!outcome.output.contains("\n## "))
        notes.arguments = ["0.0.0"]
        #expect(try await notes.run().status == 1)
    }
}
