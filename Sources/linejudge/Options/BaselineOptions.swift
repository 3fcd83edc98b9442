import ArgumentParser

/// Options for recording a server's behaviour or comparing it with a baseline.
struct BaselineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run every check twice, and record the server's behaviour in this baseline file (- for \
            standard output). Checks neither pass nor fail.
            """, valueName: "file"), completion: .file())
    var writeBaseline: String?

    @Option(
        help: ArgumentHelp(
            """
            Compare with this baseline file, and fail if behaviour has changed. Dialect and seed \
            default to those in the file.
            """, valueName: "file"), completion: .file())
    var baseline: String?

    func validate() throws {
        if writeBaseline != nil, baseline != nil {
            throw ValidationError("--write-baseline and --baseline cannot be used together")
        }
    }
}
