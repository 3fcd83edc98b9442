import FoundationEssentials
import Glibc
import Results

/// The machine that this process runs on.
enum Machine {
    static var environment: LoadResults.Environment {
        var names = utsname()
        unsafe uname(&names)
        func text<Field>(_ field: Field) -> String {
            unsafe withUnsafeBytes(of: field) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return LoadResults.Environment(
            system: "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))",
            processors: ProcessInfo.processInfo.activeProcessorCount)
    }

    static var processID: Int { Int(getpid()) }

    /// Path of this program.
    static var executable: String {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    }
}
