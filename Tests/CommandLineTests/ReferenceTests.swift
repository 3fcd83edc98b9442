import Foundation
import Testing

/// The generated command-line reference and manual pages.
struct ReferenceTests {
    /// `make reference` updates the page.
    @Test func referenceIsUpToDate() async throws {
        let outcome = try await Command("generate-docs", "--markdown", "-").run()
        let page = try Files.text(Files.root.appending(path: "docs/command-line.md"))
        #expect(outcome.status == 0)
        #expect(outcome.output == page, "run `make reference` to update docs/command-line.md")
    }

    @Test(arguments: ["dialect", "plan"])
    func schemasAreUpToDate(_ name: String) async throws {
        try await Files.with { folder in
            let outcome = try await Command("generate-docs", "--schemas", ".").within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            let file = "\(name).schema.json"
            let generated = try Files.text(folder.appending(path: file))
            let stored = try Files.text(Files.root.appending(path: "docs/\(file)"))
            #expect(generated == stored, "run `make reference` to update docs/\(file)")
        }
    }

    @Test func everyCommandHasAManualPage() async throws {
        try await Files.with { folder in
            let outcome = try await Command("generate-docs", "--man", "man").within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            for command in UsageTests.commands where command != ["dialect"] {
                let name = (["linejudge"] + command).joined(separator: "-")
                let page = try Files.text(folder.appending(path: "man/\(name).1"))
                for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES"] {
                    #expect(page.contains("\n.SH \(section)\n"), "\(name): \(section)")
                }
                // Lines that start with a dot are macros.
                let macros = page.split(separator: "\n").filter { $0.hasPrefix(".") }
                #expect(macros.allSatisfy { $0.contains(/^\.[A-Z]{2}|^\.(nf|fi)/) })
            }
            let run = try Files.text(folder.appending(path: "man/linejudge-run.1"))
            #expect(run.contains(".SH EXIT STATUS") && run.contains("LINEJUDGE_TIMEOUT_STEP"))
            #expect(run.contains("annotation on its scenario line"))
            let check = try Files.text(folder.appending(path: "man/linejudge-check.1"))
            #expect(check.contains("\n.PP\nChecks send malformed lines"))
        }
    }
}
