import Diagnostics
import Foundation
import LineProtocol
import Testing

@testable import DialectFiles

/// Copies of dialects that are based on other files.
struct DialectCopiesTests {
    /// Runs the test in an empty folder with these files, and removes the folder afterwards.
    private func with(_ files: [String: String], _ test: (URL) throws -> Void) throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(
            path: "copies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        try test(folder)
    }

    /// Returns the copies, and the dialect as read from a folder with only the copies.
    private func copied(
        _ path: URL, _ folder: URL
    ) throws -> (copies: [(name: String, text: String)], dialect: DialectFile) {
        let original = try DialectLibrary.find(path.path)
        let copies = DialectCopies.of(original.source)
        let target = folder.appending(path: "copies")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for copy in copies {
            try Data(copy.bytes).write(to: target.appending(path: copy.name))
        }
        let read = try DialectLibrary.find(target.appending(path: copies[0].name).path)
        #expect(DialectWriter.yaml(read.dialect) == DialectWriter.yaml(original.dialect))
        return (copies.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }, read)
    }

    @Test func basesInOtherFoldersAreCopiedToTheSameFolder() throws {
        let own = "name: own\nbased-on: shared/mine.yaml # a comment\nport: 9\n"
        let files = [
            "own.yaml": own, "shared/mine.yaml": "name: mine\nbased-on: '../base.yml'\nport: 8\n",
            "base.yml": "name: base\nbased-on: irc\nport: 7\n",
        ]
        try with(files) { folder in
            let (copies, read) = try copied(folder.appending(path: "own.yaml"), folder)
            #expect(copies.map(\.name) == ["own.yaml", "mine.yaml", "base.yml"])
            #expect(copies[0].text == "name: own\nbased-on: mine.yaml # a comment\nport: 9\n")
            #expect(copies[1].text == "name: mine\nbased-on: base.yml\nport: 8\n")
            #expect(copies[2].text == files["base.yml"])
            #expect(read.dialect.port == 9)
        }
    }

    @Test func aBaseOfTheSameNameGetsAnother() throws {
        let files = [
            "a/irc.yaml": "name: own\nbased-on: ../irc.yaml\n",
            "irc.yaml": "name: base\nbased-on: irc\nport: 7\n",
        ]
        try with(files) { folder in
            let (copies, read) = try copied(folder.appending(path: "a/irc.yaml"), folder)
            #expect(copies.map(\.name) == ["irc.yaml", "irc-2.yaml"])
            #expect(copies[0].text == "name: own\nbased-on: irc-2.yaml\n")
            #expect(read.dialect.port == 7)
        }
    }

    @Test(arguments: [
        "name: own\n\"based-on\": \"./base 1.yaml\"\n", "{name: own, based-on: ./base 1.yaml}\n",
        "based-on: './base 1.yaml'   # a comment\nname: own\n",
    ])
    func referencesInQuotesAndFlowMapsAreChanged(own: String) throws {
        try with(["own.yaml": own, "base 1.yaml": "name: base\nbased-on: nats\n"]) { folder in
            let (copies, _) = try copied(folder.appending(path: "own.yaml"), folder)
            #expect(copies.map(\.name) == ["own.yaml", "base 1.yaml"])
            #expect(!copies[0].text.contains("./"))
        }
    }

    @Test func filesThatNeedNoChangeAreCopiedAsTheyAre() throws {
        let own = "name: own\nbased-on: 'base.yaml'\n"
        try with(["own.yaml": own, "base.yaml": "name: base\n"]) { folder in
            let (copies, _) = try copied(folder.appending(path: "own.yaml"), folder)
            #expect(copies.map(\.text) == [own, "name: base\n"])
        }
        let block = "name: own\nbased-on: |-\n  base.yaml\nport: 7\n"
        try with(["own.yaml": block, "base.yaml": "name: base\n"]) { folder in
            let (copies, _) = try copied(folder.appending(path: "own.yaml"), folder)
            #expect(copies.map(\.text) == [block, "name: base\n"])
        }
        try with(["own.yaml": "name: own\nbased-on: plain\n"]) { folder in
            let (copies, _) = try copied(folder.appending(path: "own.yaml"), folder)
            #expect(copies.map(\.name) == ["own.yaml"])
        }
    }
}
