import Foundation
import Testing

/// Metrics that a program serves over HTTP.
enum Metrics {
    /// The response body of a URL.
    static func page(_ url: String) async throws -> String {
        var get = Command(
            "python3", "-c",
            "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=60).read().decode())",
            url)
        get.program = URL(filePath: "/usr/bin/env")
        return try await get.run().output
    }

    /// The value of a metric with these labels as printed; nil if it is missing.
    static func value(_ name: String, at url: String) async throws -> Int? {
        let line = try await page(url).split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// The number of times a server has injected a fault.
    static func faults(_ fault: String, at url: String) async throws -> Int {
        try #require(await value("linejudge_server_faults_total{fault=\"\(fault)\"}", at: url))
    }
}

/// The schema of load results.
enum LoadSchema {
    /// Validates files against the schema.
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
