import Foundation
import RepositoryFiles
import Testing

/// Types, parameter lists and the public interface stay small.
@Suite struct SizeTests {
    /// Maximum number of lines of a type with its extensions and nested types.
    private static let typeLinesMax = 1_000

    /// Number of functions with four or more parameters without a label, which may only shrink.
    private static let unlabelledMax = 309

    private let files: [(target: String, path: String, text: String, measures: SourceMeasures)]

    init() throws {
        let root = Repository.root.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        files = try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return (String(path.prefix { $0 != "/" }), path, text, SourceMeasures(Array(text.utf8)))
        }
    }

    @Test func typesAreSmall() {
        var lines: [String: Int] = [:]
        for file in files {
            for (type, count) in file.measures.typeLines {
                lines["\(file.target).\(type)", default: 0] += count
            }
        }
        for (type, count) in lines.sorted(by: { $0.key < $1.key }) {
            #expect(count <= Self.typeLinesMax, "\(type) has \(count) lines: split it")
        }
    }

    /// Calls with several values and no labels are hard to read.
    @Test func functionsLabelTheirParameters() {
        let found = files.flatMap { file in
            file.measures.unlabelled.map { "\(file.path): \($0)" }
        }
        #expect(
            found.count <= Self.unlabelledMax,
            "label the parameters of new functions:\n\(found.joined(separator: "\n"))")
    }

    /// Only the products are for other packages. `Diagnostics` is part of their interfaces.
    @Test func onlyProductsArePublic() throws {
        let package = try String(
            contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let products = package.matches(
            of: /\.library\(name: "\w+", targets: \[([^\]]+)\]/
        ).flatMap { $0.1.matches(of: /\w+/).map { String($0.output) } }
        #expect(products.contains("LineProtocol"))
        for file in files where file.measures.hasPublic {
            #expect(
                products.contains(file.target) || file.target == "Diagnostics",
                "\(file.path) has public declarations: make them `package`")
        }
    }

    /// Without `@usableFromInline` on a `package` type, the compiler ignores `@inlinable` in it.
    @Test func inlinableFunctionsAreInTypesThatOtherModulesCanInline() {
        var closed: Set<String> = []
        var inlinable: [(type: String, path: String)] = []
        for file in files {
            var type = ""
            var attributes = ""
            for line in file.text.split(separator: "\n") {
                // Types at file level begin in the first column.
                if !line.hasPrefix(" "),
                    let match = line.prefixMatch(
                        of: /(?:@\w+ )*(?:\w+ )*(struct|enum|class|actor|extension) (\w+)/)
                {
                    type = "\(file.target).\(match.2)"
                    if match.1 != "extension", line.contains("package "),
                        !(attributes + line).contains("@usableFromInline")
                    {
                        closed.insert(type)
                    }
                }
                attributes = line.hasPrefix("@") ? attributes + line : ""
                if line.contains("@inlinable") { inlinable.append((type, file.path)) }
            }
        }
        #expect(!inlinable.isEmpty && !closed.isEmpty)
        for (type, path) in inlinable {
            #expect(!closed.contains(type), "\(path): mark \(type) as @usableFromInline")
        }
    }
}

@Suite struct SourceMeasuresTests {
    private let code = """
        /// A type.
        public struct Outer {
            struct Inner {
                func five(_ a: Int, _ b: Int, c: Int, _ d: (_ x: Int, Int), _ e: [Int]) {}
            }
        }

        func three(_ a: Int, _ b: Int, _ c: Int) {}

        extension Outer {
            init(
                _ a: Int, _ b: Int,
                _ c: Int, _ d: Int = .init(1, 2, 3, 4)
            ) { self.init(_: a) }
        }
        enum Other { case one }
        """

    @Test func nestedTypesAndExtensionsCount() {
        let measures = SourceMeasures(Array(code.utf8))
        #expect(measures.typeLines == ["Outer": 11, "Other": 1])
    }

    @Test func parametersWithoutLabelsAreCounted() {
        let measures = SourceMeasures(Array(code.utf8))
        #expect(measures.unlabelled == ["five", "init"])
        #expect(measures.hasPublic)
        #expect(!SourceMeasures(Array("package let public1 = a.public".utf8)).hasPublic)
    }
}
