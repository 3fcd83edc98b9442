import Results

/// The process's exit code, renamed because ArgumentParser also has an `ExitCode` type.
typealias Ending = ExitCode
