import Console
import Diagnostics
import FoundationEssentials
import LineProtocol
package import Results

/// Settings given with `--fuzz` and `--corpus`.
package struct CheckFuzzing: Sendable {
    /// Maximum number of files in a corpus.
    private static let filesMax = 5_000
    private static let fileBytesMax = 1 << 20
    private static let suffix = ".fuzz"

    package let nanoseconds: Int64
    package let folder: String?

    package init(nanoseconds: Int64, folder: String?) {
        self.nanoseconds = nanoseconds
        self.folder = folder
    }

    /// Returns the fuzzing options, including the contents of the corpus folder, ordered by file
    /// name.
    package func options() throws(CommandFailure) -> FuzzOptions {
        guard let folder else { return FuzzOptions(time: .nanoseconds(nanoseconds)) }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(Self.suffix) }.sorted().prefix(Self.filesMax)
            let texts = names.compactMap { name -> String? in
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
                    data.count <= Self.fileBytesMax
                else { return nil }
                return String(decoding: data, as: UTF8.self)
            }
            return FuzzOptions(time: .nanoseconds(nanoseconds), corpus: texts)
        } catch {
            throw CommandFailure(
                .software, .cannotWrite,
                "cannot use corpus `\(escapedForDisplay(folder))`: \(OutputFile.Failure(error))"
            )
        }
    }

    /// Writes the corpus. Each input is written to a file named after its hash.
    package func keep(_ corpus: [String]) {
        guard let folder else { return }
        for text in corpus {
            let path = "\(folder)/\(String(FNV1a.hash(text), radix: 16))\(Self.suffix)"
            if FileManager.default.fileExists(atPath: path) { continue }
            do { try OutputFile(path: path).write(Array(text.utf8)) } catch {
                Output.error.write("linejudge: cannot write \(path): \(error)\n")
                return
            }
        }
    }
}
