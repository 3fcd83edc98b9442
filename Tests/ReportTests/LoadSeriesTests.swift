import Foundation
import Testing

@testable import Report
@testable import Results

/// Files for time series databases.
struct LoadSeriesTests {
    private static let observed: LoadResults = {
        var results = LoadSample.fine
        results.server = "irc://host name,a=b\\c\"d"
        results.measuredFrom = 1_790_000_000_250_000_000
        results.seconds = Array(results.seconds.prefix(2))
        results.processes = [
            .init(
                role: "server", pid: 12, program: "chat d",
                samples: [
                    .init(
                        timeNanoseconds: 500_000_000, cores: 0.5, residentBytes: 4_096, threads: 3,
                        files: 9, sockets: .init(established: 2, receiveQueueBytes: 7))
                ])
        ]
        return results
    }()

    @Test func linesOfInfluxHaveEscapedTagsAndTimes() {
        let lines = InfluxReport.text(Self.observed).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(
            lines[0]
                == #"linejudge_load,server=irc://host\ name\,a\=b\\c"d,dialect=irc "#
                + "sent=200i,arrived=1800i,violations=0i 1790000001250000000")
        #expect(lines[1].hasPrefix("linejudge_latency,server="))
        #expect(lines[1].contains(",measure=say p50="))
        #expect(
            lines[4].hasSuffix(
                #",role=server,program=chat\ d,pid=12 cores=0.5,resident_bytes=4096i,threads=3i,"#
                    + "context_switches_per_second=0,major_faults_per_second=0,open_files=9i,"
                    + "connections=2i,receive_queue_bytes=7i 1790000000750000000"))
    }

    @Test func familiesOfOpenMetricsAreTogetherAndTheTextEnds() {
        let text = OpenMetricsReport.text(Self.observed)
        #expect(text.hasSuffix("\n# EOF\n"))
        let lines = text.split(separator: "\n").dropLast()
        var families: [Substring] = []
        for line in lines {
            if line.hasPrefix("# TYPE ") {
                let name = line.split(separator: " ")[2]
                #expect(!families.contains(name))
                families.append(name)
            } else {
                #expect(line.prefix { $0 != "{" } == families.last ?? "")
            }
        }
        #expect(
            text.contains(
                #"linejudge_load_sent_per_second{server="irc://host name,a=b\\c\"d",dialect="irc"} "#
                    + "200 1790000001.250\n"))
        #expect(families.contains("linejudge_process_receive_queue_bytes"))
    }

    @Test func samplesOfASeriesFollowEachOther() {
        let lines = OpenMetricsReport.text(LoadSample.fine).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        let series = lines.map { $0.prefix { $0 != "}" } }
        var changes = 0
        for (one, next) in zip(series, series.dropFirst()) where one != next { changes += 1 }
        #expect(changes + 1 == Set(series).count)
        #expect(lines.count > Set(series).count)
    }

    /// The dashboard asks only for metrics that exist.
    @Test func dashboardNamesExistingMetrics() throws {
        let dashboard = try Data(
            contentsOf: Support.root.appending(path: "deploy/grafana-load.json"))
        _ = try JSONSerialization.jsonObject(with: dashboard)
        let metrics = try String(
            contentsOf: Support.root.appending(path: "Reports/load/load.prom"), encoding: .utf8)
        let names = String(decoding: dashboard, as: UTF8.self).matches(of: /linejudge_load_\w+/)
        #expect(names.count > 10)
        for name in names { #expect(metrics.contains("# TYPE \(name.0) "), "\(name.0)") }
    }
}
