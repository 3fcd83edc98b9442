import Diagnostics
import Results

/// The content of a page with a ladder diagram of captured conversations.
package struct LadderContent {
    /// Name of the capture.
    package var capture: String
    package var facts: [(name: String, value: String)]
    /// Table rows as HTML. The classes `c0`, `c1`, … select the client's lane, and `s0`, `s1`, …
    /// the server's.
    package var rows: String
    /// Names of the clients' lanes.
    package var clients: [String] = []
    /// Addresses of the servers.
    package var servers: [String] = []
    /// Number of clients that share the last lane; 0 if each has its own.
    package var sharingClients = 0
    package var warning: String?

    package init(capture: String, facts: [(name: String, value: String)], rows: String) {
        self.capture = capture
        self.facts = facts
        self.rows = rows
    }
}

/// A ladder diagram of captured conversations, as a self-contained HTML page.
package enum LadderHTML {
    /// SHA-256 of the script, which allows browsers to run only this script.
    static let scriptHash = "6V+p0pxaDbvBj1ooLBB+ur2ebyt0blUjX7uhKbLiZwI="

    /// Renders the page.
    package static func text(_ content: LadderContent) throws -> String {
        try HTMLTemplates.page(LadderHTMLPage(content), "ladder")
    }
}

/// Template data for the page. The template refers to the properties by name.
struct LadderHTMLPage {
    /// A lane, with its CSS class.
    struct Lane {
        var `class`: String
        var name: String
    }

    var head: PageHead
    var lanes: [Lane]
    var count: Int
    /// CSS rules that place the lanes.
    var rules: String
    var rows: String
    var sharing: String?

    init(_ content: LadderContent) {
        head = PageHead(
            "Conversations in \(escapedForDisplay(Self.fileName(content.capture)))",
            toolVersion: toolVersion,
            facts: ([("capture", content.capture)] + content.facts).map {
                PageHead.Fact(name: $0.name, value: escapedForDisplay($0.value))
            }, warning: content.warning)
        head.script = String(decoding: PackageResources.ladder_js, as: UTF8.self)
        head.policy = LoadScript.policy(hash: LadderHTML.scriptHash)
        lanes = content.clients.enumerated().map { Lane(class: "c\($0)", name: $1) }
        if content.sharingClients > 0, !lanes.isEmpty {
            lanes[lanes.count - 1].name = counted(content.sharingClients, "other client")
            sharing =
                "The last \(content.sharingClients) clients share a lane. Each row shows the name."
        }
        lanes += content.servers.enumerated().map { Lane(class: "s\($0)", name: $1) }
        count = max(1, lanes.count)
        rules = lanes.enumerated().map { index, lane in
            ".\(lane.class) { --\(lane.class.prefix(1)): \(index); }"
        }.joined(separator: "\n")
        rows = content.rows
    }

    /// Returns the last part of a path.
    private static func fileName(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
