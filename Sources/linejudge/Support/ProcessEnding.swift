import Results

/// The process's exit code. This name avoids a conflict with ArgumentParser, which also has an
/// `ExitCode` type.
typealias Ending = ExitCode
