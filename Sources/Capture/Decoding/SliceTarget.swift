import Console
import Diagnostics
import Glibc
package import Results

/// The file that a slice is written to, or standard output.
package struct SliceTarget: Sendable {
    package let path: String

    /// Checks that the slice can be written and would not replace an input.
    ///
    /// - Parameter inputs: Paths of the captures and the key log; `-` for standard input.
    package init(_ path: String, inputs: [String]) throws(CommandFailure) {
        self.path = path
        guard !isStandardOutput else {
            guard !Output.standard.isTerminal else {
                throw CommandFailure(
                    .usage, .badOption, "a slice is binary and cannot be written to a terminal",
                    help: "redirect standard output, or pass --slice FILE")
            }
            return
        }
        if let own = Self.identity(path) {
            for input in inputs {
                guard let other = Self.identity(input), own == other else { continue }
                throw CommandFailure(
                    .usage, .badOption, "the slice would replace the input `\(input)`",
                    help: "choose another file for --slice")
            }
            var output = stat()
            if unsafe fstat(STDOUT_FILENO, &output) == 0, own == Self.identity(output) {
                throw CommandFailure(
                    .usage, .badOption, "standard output already goes to `\(path)`",
                    help: "choose another file for --slice")
            }
        }
        try OutputFile(path: path).prepare(as: "slice")
    }

    package var isStandardOutput: Bool { OutputFile.isStandardOutput(path) }

    /// Returns the device and inode number of a regular file; nil for anything else.
    private static func identity(_ status: stat) -> [UInt64]? {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    private static func identity(_ path: String) -> [UInt64]? {
        var status = stat()
        let isFound =
            path == "-"
            ? unsafe fstat(STDIN_FILENO, &status) == 0 : unsafe stat(path, &status) == 0
        return isFound ? identity(status) : nil
    }
}

/// A slice that is being written. The file is created when its first bytes are written.
final class SliceFile {
    private let target: SliceTarget
    private var file: StreamedFile?
    /// The reason the slice could not be written; nil if it could.
    private(set) var failure: CommandFailure?

    init(_ target: SliceTarget) { self.target = target }

    /// Writes the next bytes. Returns false if no more bytes can be written.
    func write(_ bytes: [UInt8]) -> Bool {
        if target.isStandardOutput {
            Output.standard.writeUnmasked(bytes)
            return !Output.standard.isBroken && Output.standard.failure == nil
        }
        attempt { () throws(OutputFile.Failure) in
            if self.file == nil { self.file = try StreamedFile(OutputFile(path: target.path)) }
            try self.file?.write(bytes)
        }
        return failure == nil
    }

    /// Completes the file. Removes it instead if it could not be written, or if `isKept` is false.
    func finish(isKept: Bool) {
        guard let file else { return }
        guard isKept, failure == nil else { return file.discard() }
        attempt { () throws(OutputFile.Failure) in try file.commit() }
    }

    private func attempt(_ body: () throws(OutputFile.Failure) -> Void) {
        do throws(OutputFile.Failure) {
            try body()
        } catch {
            failure = CommandFailure(writing: "slice", target.path, error)
        }
    }
}
