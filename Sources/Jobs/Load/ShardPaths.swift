import Diagnostics
package import Load
package import Report
package import Results

/// Report paths of a sharded load test. Each shard must write to its own file.
package enum ShardPaths {
    /// Placeholder for the shard's index.
    static let placeholder = "{{shard}}"

    /// Returns the reports with the shard's index in place of the placeholder in their paths.
    package static func filled(
        _ reports: [RequestedReport<LoadReportFormat>], _ shard: Shard?
    ) throws(CommandFailure) -> [RequestedReport<LoadReportFormat>] {
        guard let shard else {
            guard let report = reports.first(where: { $0.path.contains(placeholder) }) else {
                return reports
            }
            throw CommandFailure(
                .usage, .badOption,
                "`\(escapedForDisplay(report.path))` requires --shard",
                help: "add --shard 0/3, or choose another name")
        }
        return reports.map { report in
            var report = report
            report.path = report.path.replacing(placeholder, with: "\(shard.share.index)")
            return report
        }
    }

    /// Returns a path shared by all shards; nil if there is none. On a shared disk, the shards
    /// would overwrite each other's file.
    package static func shared(_ reports: [RequestedReport<LoadReportFormat>], _ shard: Shard?)
        -> String?
    {
        guard let shard, !shard.share.isAll else { return nil }
        return reports.first { !$0.goesToStandardOutput && !$0.path.contains(placeholder) }?.path
    }
}
