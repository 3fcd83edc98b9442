import Results
import Runner

/// How the process ends; ArgumentParser has an `ExitCode`, too, which is not ours.
typealias Ending = ExitCode
