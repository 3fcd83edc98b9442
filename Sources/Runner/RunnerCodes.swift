import Diagnostics

extension DiagnosticCode {
    static let nothingFound: DiagnosticCode = "run.nothing-found"
    static let otherDialect: DiagnosticCode = "run.other-dialect"
    static let unreadable: DiagnosticCode = "run.unreadable"
    static let badVariable: DiagnosticCode = "run.bad-variable"
    static let badInclude: DiagnosticCode = "run.bad-include"
    static let badData: DiagnosticCode = "run.bad-data"
    static let badSoftware: DiagnosticCode = "run.bad-software"
    static let noDialect: DiagnosticCode = "run.no-dialect"
    static let noServer: DiagnosticCode = "run.no-server"
    static let badCommand: DiagnosticCode = "run.bad-command"
    static let execNotAllowed: DiagnosticCode = "run.exec-not-allowed"
    static let serverNotStarted: DiagnosticCode = "run.server-not-started"
    /// The code that `Session` uses if the server refuses a request that should succeed.
    static let refused: DiagnosticCode = "run.refused"
    static let nameTaken: DiagnosticCode = "run.name-taken"
    static let knownFailurePasses: DiagnosticCode = "run.known-failure-passes"
    static let knownFailureExpired: DiagnosticCode = "run.known-failure-expired"
}
