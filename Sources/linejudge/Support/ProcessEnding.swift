import Results

/// The exit code of the process; ArgumentParser has another type of the same name.
typealias Ending = ExitCode
