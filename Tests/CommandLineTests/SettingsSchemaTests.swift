import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Testing

@testable import Load

/// `docs/dialect.schema.json` and `docs/plan.schema.json` agree with the readers of the files.
struct SettingsSchemaTests {
    /// A kind of YAML file with its schema and its reader.
    enum Kind: String, CaseIterable {
        case dialect, plan

        /// Codes of the reader's errors; nil if it accepts the text.
        func errors(in text: String) -> Set<String>? {
            let source = SourceText(path: "\(rawValue).yaml", text: text)
            var diagnostics: [Diagnostic] = []
            switch self {
            case .dialect: diagnostics = DialectReader.read(source).diagnostics
            case .plan:
                do throws(Diagnosed) {
                    _ = try PlanReader.plan(source)
                } catch {
                    diagnostics = error.diagnostics
                }
            }
            let errors = diagnostics.filter { $0.severity == .error }
            return errors.isEmpty ? nil : Set(errors.map { "\($0.code)" })
        }
    }

    /// Errors that a schema can express.
    static let structural: Set<String> = [
        "unknown-key", "missing-key", "wrong-type", "unknown-word",
    ]

    // MARK: The repository's files

    @Test(arguments: Kind.allCases)
    func everyFileThatAReaderAcceptsIsValid(_ kind: Kind) throws {
        let accepted = try Self.repositoryTexts().filter { kind.errors(in: $0.text) == nil }
        #expect(accepted.count >= (kind == .dialect ? 30 : 4))
        for (file, verdict) in zip(accepted, try Self.verdicts(accepted.map(\.text), kind)) {
            #expect(verdict == "valid", "\(file.name)")
        }
    }

    /// YAML files, and YAML blocks of pages.
    private static func repositoryTexts() throws -> [(name: String, text: String)] {
        var texts: [(name: String, text: String)] = []
        for folder in ["Sources", "Examples", "Tests", "docs"] {
            let root = Files.root.appending(path: folder)
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) {
                guard let text = try? Files.text(file) else { continue }
                let name = "\(folder)/\(file.lastPathComponent)"
                if file.pathExtension == "yaml" { texts.append((name, text)) }
                if file.pathExtension == "md" {
                    texts += text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
                        $0.components(separatedBy: "\n```").first.map { (name, $0 + "\n") }
                    }
                }
            }
        }
        return texts
    }

    // MARK: Bad files

    @Test func badDialectsAreInvalid() throws {
        let folder = Files.root.appending(path: "Tests/DialectFilesTests/Fixtures/bad")
        let texts = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted()
            .map { try Files.text(folder.appending(path: $0)) }
        try expectInvalid(texts, .dialect, atLeast: 10)
    }

    @Test func badPlansAreInvalid() throws {
        let texts = [
            "operator: 3", "operators: many", "operators: 0", "model: half-open", "pace: [poisson]",
            "stages: {for: 1s}", "stages: [{for: 1s, rat: 3/s}]",
            "stages: [{for: fast, rate: 3/s}]",
            "kinds: [{weight: 3, does: say}]", "kinds: [{name: a, does: shout}]",
            "kinds: [{name: a, behaviour: angry}]", "kinds: [{name: a, does: {say: often}}]",
            "thresholds: {p99: 3}", "reset: 'true'", "warmup: 5", "mix: {shout: 1}",
        ]
        try expectInvalid(texts, .plan, atLeast: texts.count)
    }

    /// Expects that texts with structural errors are invalid.
    private func expectInvalid(_ texts: [String], _ kind: Kind, atLeast count: Int) throws {
        let bad = texts.filter { text in
            let all = kind.errors(in: text) ?? []
            return kind == .plan && !all.isEmpty || Self.isStructural(all)
        }
        #expect(bad.count >= count)
        for (text, verdict) in zip(bad, try Self.verdicts(bad, kind)) {
            #expect(verdict != "valid", "\(kind.errors(in: text) ?? []):\n\(text)")
        }
    }

    private static func isStructural(_ codes: Set<String>) -> Bool {
        codes.contains { structural.contains(String($0.drop { $0 != "." }.dropFirst())) }
    }

    // MARK: Changed files

    /// Changes one line of a valid file at a time. What the reader accepts must be valid, and what
    /// it rejects for its structure must be invalid.
    @Test(arguments: Kind.allCases)
    func schemaAndReaderAgreeOnChangedFiles(_ kind: Kind) throws {
        let accepted = try Self.repositoryTexts().filter { file in
            kind.errors(in: file.text) == nil && file.text.utf8.count < 1_200
        }
        var random = SeededRandom(seed: 13)
        var texts: [String] = []
        for file in accepted {
            for _ in 0..<(kind == .dialect ? 14 : 60) {
                if let text = Self.changed(file.text, &random) { texts.append(text) }
            }
        }
        var rejected = 0
        for (text, verdict) in zip(texts, try Self.verdicts(texts, kind)) {
            guard let codes = kind.errors(in: text) else {
                #expect(verdict == "valid", "the reader accepts:\n\(text)")
                continue
            }
            // Hexadecimal numbers are like any others to JSON, but not to the reader. `grouping` needs
            // one of two keys, which the schema does not require.
            guard Self.isStructural(codes), !text.contains("0x41"), !text.contains("grouping: {}")
            else { continue }
            rejected += 1
            #expect(verdict != "valid", "the reader reports \(codes):\n\(text)")
        }
        #expect(rejected > 50)
        #expect(texts.count - rejected > 50)
    }

    /// Changes the key or the value of a random line that is `key: value`.
    private static func changed(_ text: String, _ random: inout SeededRandom) -> String? {
        var lines = text.components(separatedBy: "\n")
        let candidates = lines.indices.filter {
            lines[$0].contains(/^ *[a-z-]+: +[^\s|&*#][^#]*$/)
        }
        guard !candidates.isEmpty else { return nil }
        let index = candidates[Int(random.next() % UInt64(candidates.count))]
        guard let colon = lines[index].firstIndex(of: ":") else { return nil }
        let key = lines[index][..<colon]
        let value = lines[index][colon...].dropFirst()
        let values = [
            "17", "-3", "0.5", "banana", "true", "'true'", "[1, 2]", "{a: b}", "[]", "{}", "15s",
            "'?'", "open", "space", "LF", "0x41", "s", "'5'", "none", "200/s", "say", "null",
        ]
        let choice = Int(random.next() % UInt64(values.count + 4))
        switch choice {
        case 0: lines[index] = key + "x:" + value
        case 1: lines[index] = key.replacing("e", with: "") + ":" + value
        case 2: lines[index] = key + ": [" + value + "]"
        case 3: lines[index] = key + ": {x: " + value + "}"
        default: lines[index] = key + ": " + values[choice - 4]
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Validation

    /// The validator's verdict on each text: `valid`, `unreadable` or `invalid` with a reason.
    private static func verdicts(_ texts: [String], _ kind: Kind) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (index, text) in texts.enumerated() {
            let name = String(format: "%05d.yaml", index)
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = Files.root.appending(path: ".tools/python/bin/python3")
        process.arguments = [
            Files.root.appending(path: "Tests/CommandLineTests/Tools/validate_yaml.py").path,
            Files.root.appending(path: "docs/\(kind.rawValue).schema.json").path, folder.path,
        ]
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        try #require(lines.count == texts.count)
        return lines.map { String($0.drop { $0 != "\t" }.dropFirst()) }
    }
}
