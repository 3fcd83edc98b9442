import Foundation
import RepositoryFiles
import Testing

/// Documentation catalogs in `Sources`.
enum Catalogs {
    private static let tests = Repository.root.appending(path: "Tests/ChatClientTests/Snippets")
    private static let sources = Repository.root.appending(path: "Sources")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: sources.appending(path: path), encoding: .utf8)
    }

    /// Paths of the pages of all catalogs, relative to `Sources`.
    static let pages: [String] = {
        let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap {
            $0 as? String
        }
        return (files ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
    }()

    /// The code between `// snippet: NAME` and `// end` in this folder's tests, without its indentation.
    static let snippets: [String: String] = {
        var snippets: [String: String] = [:]
        for file in ["CodecSnippets.swift", "ClientSnippets.swift"] {
            let text = try? String(contentsOf: tests.appending(path: file), encoding: .utf8)
            var open: (name: String, indent: Int)?
            for line in (text ?? "").components(separatedBy: "\n") {
                let code = line.drop { $0 == " " }
                if code.hasPrefix("// snippet: ") {
                    open = (String(code.dropFirst("// snippet: ".count)), line.count - code.count)
                } else if code == "// end" {
                    open = nil
                } else if let open {
                    snippets[open.name, default: ""] += line.dropFirst(open.indent) + "\n"
                }
            }
        }
        return snippets
    }()
}

/// Catalogs curate all public types, and tests run their code.
struct CatalogTests {
    static let products = [
        "ChatClient", "ChatModel", "ChatStructures", "DialectFiles", "LineProtocol", "TransportTLS",
    ]

    @Test func everyProductHasALandingPage() {
        for product in Self.products {
            #expect(Catalogs.pages.contains("\(product)/\(product).docc/\(product).md"))
        }
    }

    @Test(arguments: Catalogs.pages)
    func swiftBlocksAreThoseOfTests(_ page: String) throws {
        var comment = ""
        var block: String?
        for line in try Catalogs.text(page).components(separatedBy: "\n") {
            if line == "```swift" {
                block = ""
            } else if line == "```", let code = block {
                let name = comment.wholeMatch(of: /<!-- snippet: (.*) -->/)?.1 ?? ""
                #expect(Catalogs.snippets[String(name)] == code, "\(page): snippet \(name)")
                block = nil
            } else if block != nil {
                block? += line + "\n"
            } else {
                comment = line
            }
        }
    }

    @Test(arguments: products)
    func landingPageListsEveryPublicType(_ product: String) throws {
        let page = try Catalogs.text("\(product)/\(product).docc/\(product).md")
        let root = try #require(Catalogs.publicTypes(of: product))
        #expect(!root.isEmpty)
        for name in root where name != product {
            #expect(page.contains("- ``\(name)``"), "\(name) is not in the topics of \(product)")
        }
    }
}

extension Catalogs {
    /// Names of the public types that a module declares at top level.
    static func publicTypes(of module: String) -> [String]? {
        let folder = sources.appending(path: module)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return files?.filter { $0.hasSuffix(".swift") }.flatMap { file -> [String] in
            guard let text = try? Self.text("\(module)/\(file)") else { return [] }
            let declaration =
                /(?m)^public (?:final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
            return text.matches(of: declaration).map { String($0.1) }
        }
    }
}
