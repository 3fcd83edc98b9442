import Foundation
import RepositoryFiles
import Testing

/// Documentation catalogs in `Sources`.
enum Catalogs {
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
        for block in SwiftBlock.all(try Catalogs.text(page)) {
            let name = block.snippet ?? ""
            #expect(Snippets.all[name] == block.code, "\(page): snippet \(name)")
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
