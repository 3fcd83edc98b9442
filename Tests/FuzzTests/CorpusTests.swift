import Foundation
import FuzzTargets
import RepositoryFiles
import Testing

/// The inputs that fuzzing has found, including all that once crashed a reader.
struct CorpusTests {
    private static func inputs(of target: FuzzTarget) throws -> [URL] {
        let folder = Repository.root.appending(path: "Tests/Fuzzing/Corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
    }

    @Test(arguments: FuzzTarget.allCases)
    func everyInputIsRead(_ target: FuzzTarget) throws {
        let inputs = try Self.inputs(of: target)
        #expect(!inputs.isEmpty)
        for input in inputs { target.run(Array(try Data(contentsOf: input))) }
    }
}
