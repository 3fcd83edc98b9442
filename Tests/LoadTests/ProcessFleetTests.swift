import Foundation
import LineProtocol
import Results
import Testing

@testable import Load

/// A load in two processes, each a shell that runs `script`.
private func report(
    of script: String, path: String = "/bin/sh", silenceMax: Int64? = nil,
    wish: (LoadMonitor) -> Void = { _ in }
) async -> (report: WorkerReport, watch: LoadMonitor) {
    let job = WorkerJob(
        arguments: [], plan: nil, server: "tcp://127.0.0.1:1", dialect: "irc", seed: 1, run: 1,
        rate: nil, duration: 1)
    let watch = LoadMonitor(workers: 2)
    let fleet = ProcessFleet(
        job, FleetOptions(duration: 1), processes: 2, path: path, arguments: ["-c", script],
        silenceMax: silenceMax)
    wish(watch)
    return (await fleet.run(watch), watch)
}

@Test(arguments: [
    ("exit 3", "exited with status 3"), ("kill -9 $$", "was killed by signal 9 (Killed"),
    ("echo nonsense; exec sleep 600", "sent an invalid message"),
    ("echo '{\"moment\":5}'; exec sleep 600", "sent an invalid message"),
    (#"echo '{"refusal":{"_0":"cannot begin: no"}}'"#, "cannot begin: no"),
])
func aProcessThatFailsIsSaidInWords(script: String, words: String) async {
    let (report, watch) = await report(of: script)
    #expect(report.troubles.count == 2)
    for index in 0..<2 {
        #expect(report.troubles.contains { $0.hasPrefix("process \(index + 1) of 2 \(words)") })
    }
    #expect(watch.isStopped)
}

@Test func aProcessThatSaysNothingIsEnded() async {
    let (report, watch) = await report(of: "exec sleep 600", silenceMax: 50_000_000)
    #expect(report.troubles.allSatisfy { $0.contains("stopped responding and was killed") })
    #expect(report.troubles.count == 2)
    #expect(watch.isStopped)
}

@Test func allProcessesHearOfAChangeOfTheRate() async {
    let script = """
        while read line; do
            case $line in *'"factor":1.5'*) echo '{"refusal":{"_0":"faster"}}'; exit 0 ;; esac
        done
        """
    let (report, _) = await report(of: script) { $0.changeRate(by: 1.5) }
    #expect(report.troubles.count == 2)
    #expect(report.troubles.allSatisfy { $0.contains("of 2 faster") })
}

@Test func aProcessObeysAChangeOfTheRate() throws {
    let change = RateChange(time: 5, factor: 0.5)
    let decoded = try JSONDecoder().decode(
        WorkerOrder.self, from: JSONEncoder().encode(WorkerOrder.rate(change)))
    #expect(decoded == .rate(change))
    let watch = LoadMonitor(workers: 1)
    WorkerProcess.obey(decoded, watch)
    #expect(watch.rateChanges == [change])
    WorkerProcess.obey(.start(9), watch)
    #expect(watch.start == 9 && !watch.isStopped)
    WorkerProcess.obey(.stop, watch)
    #expect(watch.isStopped)
}

@Test func aProgramThatIsNotThereIsSaid() async {
    let (report, _) = await report(of: "", path: "/nowhere/linejudge")
    #expect(report.troubles.allSatisfy { $0.contains("could not be started: no such file") })
    #expect(report.troubles.count == 2)
}

@Test func theReportOfAProcessIsComplete() throws {
    var report = WorkerReport()
    var random = SeededRandom(seed: 3)
    for _ in 0..<2_000 {
        let time = Int64(random.nextExponential() * 1e7)
        report.recorder.record(.say, intended: 0, sent: time / 2, over: time)
        report.recorder.record(.login, time)
        report.lateness.record(time / 100)
    }
    report.lateness.record(4_000_000_000_000)
    report.counts.sent = 2_000
    report.counts.delivered = 17
    report.violations.add(.lost) { Violation(.lost, "gone", line: [0, 255], time: 5) }
    report.setupFailures = [.init(story: "not let in", line: [1])]
    report.processorTime = 9
    report.measured = 8
    report.troubles = ["none"]
    let decoded = try JSONDecoder().decode(
        WorkerReport.self, from: JSONEncoder().encode(report))
    for metric in [LatencyMetric.say, .login] {
        let (mine, its) = (report.recorder.response(metric), decoded.recorder.response(metric))
        #expect(mine?.values.map(\.value) == its?.values.map(\.value))
        #expect(mine?.values.map(\.count) == its?.values.map(\.count))
        #expect(mine?.minimum == its?.minimum)
        #expect(mine?.maximum == its?.maximum)
        #expect(mine?.mean == its?.mean)
    }
    #expect(decoded.recorder.service(.say)?.count == 2_000)
    #expect(decoded.recorder.response(.probe) == nil)
    #expect(decoded.lateness.clamped == 1)
    #expect(decoded.counts == report.counts)
    #expect(decoded.violations.kept == report.violations.kept)
    #expect(decoded.violations[.lost] == 1)
    #expect(decoded.setupFailures == report.setupFailures)
    #expect(decoded.processorTime == 9 && decoded.measured == 8)
    #expect(decoded.troubles == ["none"])
}

@Test(arguments: [1, 2, 3, 7], [1, 2, 5])
func sharesHaveAllOperatorsOnce(generators: Int, processes: Int) {
    let layout = RoomLayout(operators: 1_003, size: 9)
    let shares = (0..<generators).flatMap { generator in
        (0..<processes).map {
            LoadShare(index: generator, count: generators).part($0, of: processes)
        }
    }
    #expect(shares.flatMap { Array(layout.operators($0)) } == Array(0..<1_003))
    #expect(shares.flatMap { Array(layout.rooms($0)) } == Array(0..<layout.rooms))
    let whole = layout.operators(LoadShare(index: 0, count: generators))
    #expect(whole.upperBound == layout.operators(shares[processes - 1]).upperBound)
}

@Test func aLineOfAnotherProcessMayComeInPieces() throws {
    let (socket, other) = try #require(LineSocket.pair())
    let far = LineSocket(other)
    for number in 0..<100 { far.write([number]) }
    far.finish()
    for number in 0..<100 { #expect(try socket.read([Int].self) == [number]) }
    #expect(try socket.read([Int].self) == nil)
    // Writing to a closed pipe raises no signal.
    #expect(!far.write(1))
}
