import Results

/// The exit code of the process. The name avoids a conflict, because ArgumentParser has another
/// type named `ExitCode`.
typealias Ending = ExitCode
