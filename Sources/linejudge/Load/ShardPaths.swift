import Diagnostics
import Load
import Report
import Results
import Runner

/// Where the shards of a load write: each to a file of its own.
enum ShardPaths {
    /// What stands in a file's name for the shard's number.
    static let placeholder = "{{shard}}"

    /// The reports of one shard.
    static func filled(
        _ reports: [ReportArgument<LoadReportFormat>], _ shard: Shard?
    ) throws(CommandFailure) -> [ReportArgument<LoadReportFormat>] {
        guard let shard else {
            guard let report = reports.first(where: { $0.path.contains(placeholder) }) else {
                return reports
            }
            throw CommandFailure(
                .usage, .badOption,
                "`\(escapedForDisplay(report.path))` is for a shard, and this load is none",
                help: "write --shard 0/3, or another name")
        }
        return reports.map { report in
            var report = report
            report.path = report.path.replacing(placeholder, with: "\(shard.share.index)")
            return report
        }
    }

    /// A file that all of several shards write under one name; on one disk the last would replace all others.
    static func shared(_ reports: [ReportArgument<LoadReportFormat>], _ shard: Shard?) -> String? {
        guard let shard, !shard.share.isAll else { return nil }
        return reports.first { !$0.goesToStandardOutput && !$0.path.contains(placeholder) }?.path
    }
}
