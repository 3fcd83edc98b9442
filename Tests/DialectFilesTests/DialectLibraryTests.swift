import Diagnostics
import Foundation
import LineProtocol
import Testing

@testable import DialectFiles

@Suite struct DialectLibraryTests {
    /// Creates a folder with dialects for the duration of `body`.
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dialects-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        try body(folder.path)
    }

    private func found(_ name: String, beside folder: String? = nil) -> Dialect? {
        try? DialectLibrary.find(name, beside: folder).dialect
    }

    private func fault(_ name: String, beside folder: String? = nil) -> String {
        do throws(Diagnosed) {
            _ = try DialectLibrary.find(name, beside: folder)
            return "found"
        } catch {
            return rendered(error.diagnostics)
        }
    }

    @Test func builtInDialectIsFoundByName() throws {
        let file = try DialectLibrary.find("irc")
        #expect(file.isBuiltIn)
        #expect(file.dialect.name == "irc")
        #expect(
            file.profiles == [
                "rfc", "ircv3", "ngircd", "inspircd", "ircd-hybrid", "ircd-irc2", "ircd-ircu",
                "miniircd", "python-irc", "twisted",
            ])
        #expect(file.source.path == "built-in/irc.yaml")
    }

    @Test func fileInTheScenarioFolderOverridesABuiltInDialect() throws {
        try withFolder(["irc.yaml": "name: mine"]) { folder in
            #expect(found("irc", beside: folder)?.name == "mine")
            #expect(found("irc")?.name == "irc")
        }
    }

    @Test func pathIsRelativeToTheScenario() throws {
        try withFolder(["own.yaml": "name: own\nprofiles: {p: {port: 7}}"]) { folder in
            #expect(found("own.yaml", beside: folder)?.name == "own")
            #expect(found("\(folder)/own.yaml")?.name == "own")
            #expect(found("./own.yaml+p", beside: folder)?.port == 7)
        }
    }

    @Test func profileOverridesTheDialect() throws {
        let plain = try DialectLibrary.find("irc").dialect
        let laid = try DialectLibrary.find("irc+ngircd").dialect
        #expect(plain.openPolicies.contains("policies.name-case"))
        #expect(!laid.openPolicies.contains("policies.name-case"))
        #expect(laid.policies["name-case"] == "ascii")
        #expect(laid.framing.fromClient.overflow == .close)
        #expect(laid.framing.fromClient.accepted == [.crlf, .lf, .cr])
        #expect(laid.framing.fromServer.accepted == [.crlf, .lf])
        #expect(laid.knownFailures.contains { $0.check == "frame.nul" && $0.versions == "<=26.1" })
        #expect(laid.profile == "ngircd")
        #expect(laid.commands.signatures == plain.commands.signatures)
    }

    @Test func unknownNameListsTheAvailableDialects() throws {
        try withFolder(["mychat.yaml": "name: mychat"]) { folder in
            try expectGolden(
                [
                    fault("livechta"), fault("mychatt", beside: folder), fault("nothing"),
                    fault("missing.yaml"), fault("irc+ngircdd"), fault("plain+any"),
                ].joined(separator: "\n"), "library.err")
        }
    }

    @Test func errorsInAFileAreReported() throws {
        try withFolder(["bad.yaml": "name: bad\nprot: 1"]) { folder in
            #expect(fault("bad", beside: folder).contains("did you mean `port`?"))
        }
    }

    @Test func listingsStartWithTheFilesOfTheFolder() throws {
        try withFolder(["b.yaml": "name: b\nsummary: Mine", "c.yaml": "nam: x", "d.txt": ""]) {
            let listings = DialectLibrary.listings(beside: $0)
            #expect(listings.map(\.name) == ["b", "c"] + DialectLibrary.builtInNames)
            #expect(listings[0].summary == "Mine")
            #expect(listings[1].summary == "has errors")
            #expect(listings.first { $0.name == "irc" }?.profiles.count == 10)
        }
    }

    @Test func folderIsNotADialect() throws {
        try withFolder(["x.yaml": ""]) { folder in
            #expect(fault("\(folder)/").contains("dialect.unreadable"))
        }
    }
}
