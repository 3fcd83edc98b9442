import Foundation
import RepositoryFiles

/// A Swift block of a Markdown page.
struct SwiftBlock {
    /// The block's lines, without the indentation of a list.
    var code: String
    /// The text of the HTML comment before the block, such as `snippet: errors`; nil if there is
    /// none.
    var comment: String?

    /// The name of the snippet that the block shows; nil if it shows none.
    var snippet: String? {
        guard let comment, comment.hasPrefix("snippet: ") else { return nil }
        return String(comment.dropFirst("snippet: ".count))
    }

    /// Returns the Swift blocks of a page.
    static func all(_ page: String) -> [SwiftBlock] {
        var blocks: [SwiftBlock] = []
        var open: (block: SwiftBlock, indent: Int)?
        var previous = ""
        for line in page.components(separatedBy: "\n") {
            let text = line.drop { $0 == " " }
            if text == "```swift" {
                let comment = previous.wholeMatch(of: /<!-- (.*) -->/)?.1
                let block = SwiftBlock(code: "", comment: comment.map { String($0) })
                open = (block, line.count - text.count)
            } else if text == "```", let found = open {
                blocks.append(found.block)
                open = nil
            } else if let indent = open?.indent {
                open?.block.code += line.dropFirst(min(indent, line.count - text.count)) + "\n"
            }
            previous = String(text)
        }
        return blocks
    }
}

/// The code in tests between `// snippet: NAME` and `// end`, without its indentation.
enum Snippets {
    static let all: [String: String] = {
        let files =
            [
                "ClientGuideSnippets", "ClientSnippets", "CodecSnippets", "ModelGuideSnippets",
            ].map { "Tests/ChatClientTests/Snippets/\($0).swift" }
            + ["Tests/ConformanceTests/CheckSnippet.swift"]
        var snippets: [String: String] = [:]
        for file in files {
            var open: (name: String, indent: Int)?
            for line in ((try? Repository.text(file)) ?? "").components(separatedBy: "\n") {
                let code = line.drop { $0 == " " }
                if code.hasPrefix("// snippet: ") {
                    open = (String(code.dropFirst("// snippet: ".count)), line.count - code.count)
                } else if code == "// end" {
                    open = nil
                } else if let (name, indent) = open {
                    snippets[name, default: ""] += line.dropFirst(indent) + "\n"
                }
            }
        }
        return snippets
    }()
}
