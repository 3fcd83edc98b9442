import Diagnostics
import Load
import Report
import Results

/// Paths of reports of shards, each its own file.
enum ShardPaths {
    /// Placeholder for the number of the shard.
    static let placeholder = "{{shard}}"

    /// The reports with the number of the shard in their paths.
    static func filled(
        _ reports: [ReportArgument<LoadReportFormat>], _ shard: Shard?
    ) throws(CommandFailure) -> [ReportArgument<LoadReportFormat>] {
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

    /// A path that all shards write to, so that on one disk the last would replace the others.
    static func shared(_ reports: [ReportArgument<LoadReportFormat>], _ shard: Shard?) -> String? {
        guard let shard, !shard.share.isAll else { return nil }
        return reports.first { !$0.goesToStandardOutput && !$0.path.contains(placeholder) }?.path
    }
}
