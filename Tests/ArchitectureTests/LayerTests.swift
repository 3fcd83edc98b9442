import Foundation
import RepositoryFiles
import Testing

/// Targets, and folders within them, depend only on lower layers.
@Suite struct LayerTests {
    /// Read once for all tests.
    private static let all = Result { try SourceFile.all() }

    private let files: [SourceFile]

    init() throws { files = try Self.all.get() }

    @Test func allCodeIsUnderstood() {
        #expect(files.filter { !$0.isBalanced }.map(\.path) == [])
        #expect(files.count > 500)
    }

    /// Each name belongs to one type or file, so that a search finds exactly one.
    @Test func typeAndFileNamesAreUnique() {
        var targets: [String: Set<String>] = [:]
        for file in files {
            for name in file.declared { targets[name, default: []].insert(file.target) }
        }
        #expect(targets.filter { $1.count > 1 } == [:])
        let paths = Dictionary(grouping: files.map(\.path)) { $0.split(separator: "/").last }
        #expect(paths.filter { $1.count > 1 } == [:])
    }

    @Test func everyTargetAndFolderIsInALayer() {
        let targets = Layers.targets.filter { !["CEpoll", "CPrefetch"].contains($0.name) }
        #expect(Set(files.map(\.target)) == Set(targets.map(\.name)))
        for target in targets {
            let folders = Set(files.filter { $0.target == target.name }.map(\.folder))
            #expect(folders == Set(target.folders), "the folders of \(target.name)")
        }
    }

    @Test func targetsImportFromLowerLayersOnly() throws {
        for file in files {
            let layer = try #require(Layers.layer(of: file.target))
            for module in file.imports.sorted() {
                guard let lower = Layers.layer(of: module) else { continue }
                #expect(lower < layer, "\(file.path) imports \(module)")
            }
        }
    }

    /// Foundation and its ICU would add a third to the size of a static binary.
    @Test func onlyChatStructuresImportsFoundation() {
        let importing = files.filter { $0.imports.contains("Foundation") }
        #expect(Set(importing.map(\.target)) == ["ChatStructures"])
        let without = [
            "Diagnostics", "LineProtocol", "Scenario", "DialectModel", "Session", "Transcript",
        ]
        for file in files where without.contains(file.target) {
            #expect(!file.imports.contains("FoundationEssentials"), "\(file.path)")
        }
    }

    /// In debug builds, the argument parser validates each level of option groups five times, so
    /// nested groups made every command take a third of a second.
    @Test func optionGroupsAreNotNested() throws {
        let root = Repository.root.appending(path: "Sources/linejudge")
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path)
        where name.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            if name.hasPrefix("Options/") {
                #expect(!text.contains("@OptionGroup"), "\(name): declare it in the commands")
            } else {
                #expect(!text.contains(": ParsableArguments {"), "\(name): move it to Options")
            }
        }
    }

    @Test(arguments: Layers.targets)
    func layersDependDownwardOnly(_ target: Layers.Target) {
        for reference in references(in: target.name) {
            let from = target.folders.firstIndex(of: reference.from) ?? 0
            let to = target.folders.firstIndex(of: reference.to) ?? 0
            #expect(
                to < from, "\(reference.file) names \(reference.type) of the folder \(reference.to)"
            )
        }
    }

    /// References from one folder to types of another.
    private func references(
        in target: String
    ) -> [(from: String, to: String, type: String, file: String)] {
        let files = files.filter { $0.target == target }
        var folders: [String: String] = [:]
        for file in files {
            for type in file.declared { folders[type] = file.folder }
        }
        return files.flatMap { file in
            file.named.sorted().compactMap { type in
                guard let folder = folders[type], folder != file.folder else { return nil }
                return (file.folder, folder, type, file.path)
            }
        }
    }
}

@Suite struct SourceFileTests {
    @Test func wordsInCommentsAndTextsAreNoTypes() {
        let code = """
            package import Alpha
            @testable import Beta
            /// Comment
            /* Block
             Comment */
            let text = "Text \\"Quoted", other = Named.Member(1), raw = #"Raw "Quote{""#
            let nested = "One \\(two ? "Three {" : call("Four")) Five"
            let block = \"\"\"
                Lines "of" Text
                \"\"\"
            package struct Outer<T: Bound> { struct Inner {}; var inner: Inner }
            private enum Hidden { case one(Payload) }
            typealias Name = Outer
            """
        let file = SourceFile(path: "Target/Folder/Deep/File.swift", code: Array(code.utf8))
        #expect(file.target == "Target")
        #expect(file.folder == "Folder/Deep")
        #expect(file.imports == ["Alpha", "Beta"])
        #expect(file.isBalanced)
        #expect(file.declared == ["Outer", "Name"])
        #expect(file.named == ["Named", "T", "Bound", "Payload"])
    }

    @Test func filesOutsideOfFoldersAreInTheTargetItself() {
        #expect(SourceFile(path: "Target/File.swift", code: []).folder == ".")
    }
}
