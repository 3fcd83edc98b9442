import Results

/// The exit code of the process. This name avoids a conflict with ArgumentParser, which also has a
/// type named `ExitCode`.
typealias Ending = ExitCode
