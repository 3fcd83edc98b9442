import CFuzzer
import FuzzTargets
import Glibc

// The first argument is the target; the others are libFuzzer's options and corpus folders.
guard CommandLine.arguments.count > 1,
    let chosen = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
    print("usage: Fuzz TARGET [OPTIONS] [CORPUS]...")
    print("targets: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(64)
}
let target = chosen
var words: [UnsafeMutablePointer<CChar>?] =
    ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) } + [nil]
var count = Int32(words.count - 1)
words.withUnsafeMutableBufferPointer { buffer in
    var list = buffer.baseAddress
    _ = LLVMFuzzerRunDriver(&count, &list) { data, size in
        target.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    }
}
