import Foundation
import Testing

/// What a program tells of itself over HTTP.
enum Metrics {
    /// What stands at a URL.
    static func page(_ url: String) async throws -> String {
        var get = Command(
            "python3", "-c",
            "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=60).read().decode())",
            url)
        get.program = URL(filePath: "/usr/bin/env")
        return try await get.run().output
    }

    /// A number by its name and labels, as they stand there; nil if it does not.
    static func value(_ name: String, at url: String) async throws -> Int? {
        let line = try await page(url).split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// How often a server has committed a fault.
    static func faults(_ fault: String, at url: String) async throws -> Int {
        try #require(await value("linejudge_server_faults_total{fault=\"\(fault)\"}", at: url))
    }
}

/// The schema of a load's results.
enum LoadSchema {
    /// Holds files against it.
    static func validate(_ files: String..., in folder: URL) async throws {
        let tool = Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path
        let schema = Files.root.appending(path: "docs/load-results.schema.json").path
        for file in files {
            var validate = Command("python3", tool, schema, file)
            validate.program = URL(filePath: "/usr/bin/env")
            let valid = try await validate.within(folder).run()
            #expect(valid.status == 0, "\(valid.all)")
        }
    }
}
