import Console
import Diagnostics
import HTTPEndpoint
package import Transport

/// Warning about metrics that other machines can read.
package enum MetricsWarning {
    /// Shows the warning unless only this machine can reach the address.
    package static func show(for address: ListenAddress) {
        guard !LiveSite.isLoopback(address) else { return }
        let warning = Diagnostic(
            .warning, "metrics.public", "anyone who can reach this address can read the metrics"
        ).help("to allow only this machine, use --metrics 127.0.0.1:PORT")
        Output.error.write(DiagnosticRenderer().text([warning]))
    }
}
