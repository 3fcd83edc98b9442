import Foundation
import Synchronization
import Testing

@testable import Load
@testable import Results

/// Observation of processes through `/proc`.
struct ProcessObserverTests {
    @Test func aProcessIsReadWithItsChildren() throws {
        let parent = Process()
        parent.executableURL = URL(filePath: "/bin/sh")
        parent.arguments = ["-c", "sleep 20 & child=$!; sleep 20 & echo $child; wait"]
        let output = Pipe()
        parent.standardOutput = output
        try parent.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let child = try #require(Int(line.filter(\.isNumber)))
        let pid = Int(parent.processIdentifier)
        let reading = try #require(ProcessReading(of: pid))
        #expect(reading.processes == 3)
        #expect(reading.threads == 3)
        #expect(reading.residentPages > 0)
        #expect((reading.files ?? 0) >= 9)
        #expect(reading.contextSwitches > 0)
        #expect(ProcessReading.program(of: pid) == "sh")
        #expect(ProcessReading(of: pid, without: [child])?.processes == 2)
        _ = kill(parent.processIdentifier, SIGKILL)
        parent.waitUntilExit()
        #expect(ProcessReading(of: pid) == nil)
    }

    @Test func whatAProcessUsesIsPerSecond() async throws {
        // Not this process: its sum shrinks whenever a child process of another test ends.
        let busy = Process()
        busy.executableURL = URL(filePath: "/bin/sh")
        busy.arguments = ["-c", "while :; do :; done"]
        try busy.run()
        defer { busy.waitUntilExit() }
        defer { _ = kill(busy.processIdentifier, SIGKILL) }
        let pid = Int(busy.processIdentifier)
        let start: Int64 = 5_000_000_000
        let clock = Mutex(start)
        let observer = ProcessObserver([ObservedTarget(.server, pid: pid)]) {
            clock.withLock { $0 }
        }
        observer.sample()
        // At least a fifth of a second of CPU time.
        let first = try #require(ProcessReading(of: pid))
        while try #require(ProcessReading(of: pid)).cpuTime(since: first) < 200_000_000 {
            try await Task.sleep(for: .milliseconds(5))
        }
        // As if half a second had passed.
        clock.withLock { $0 += 500_000_000 }
        observer.sample()
        let process = try #require(observer.processes(since: start).first)
        #expect(process.role == "server")
        #expect(process.samples.map(\.timeNanoseconds) == [0, 500_000_000])
        #expect(process.samples[0].cores == 0)
        #expect(process.samples[1].cores >= 0.4)
        #expect(process.samples[1].residentBytes > 100_000)
    }

    @Test func theEndOfAProcessIsRecorded() throws {
        let server = Process()
        server.executableURL = URL(filePath: "/bin/sleep")
        server.arguments = ["600"]
        try server.run()
        let clock = Mutex(Int64(5_000_000_000))
        let target = ObservedTarget(.server, pid: Int(server.processIdentifier))
        let observer = ProcessObserver([target]) { clock.withLock { $0 } }
        observer.sample()
        #expect(observer.processes(since: 0).first?.endNanoseconds == nil)
        _ = kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
        for _ in 0..<2 {
            clock.withLock { $0 += 1_000_000_000 }
            observer.sample()
        }
        let process = try #require(observer.processes(since: 4_000_000_000).first)
        #expect(process.endNanoseconds == 2_000_000_000)
        #expect(process.samples.map(\.timeNanoseconds) == [1_000_000_000])
    }

    @Test func theTimeOfThreadsThatHaveEndedCounts() throws {
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/python3")
        server.arguments = [
            "-c",
            """
            import threading, time
            def work():
                while time.thread_time() < 0.3: pass
            print("ready", flush=True)
            input()
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            print("done", flush=True)
            input()
            """,
        ]
        let (input, output) = (Pipe(), Pipe())
        (server.standardInput, server.standardOutput) = (input, output)
        try server.run()
        defer { server.waitUntilExit() }
        defer { _ = kill(server.processIdentifier, SIGKILL) }
        func line() -> String {
            String(decoding: output.fileHandleForReading.line(), as: UTF8.self)
        }
        #expect(line() == "ready")
        let first = try #require(ProcessReading(of: Int(server.processIdentifier)))
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        #expect(line() == "done")
        var second = first
        // The thread may end a little later.
        repeat {
            second = try #require(ProcessReading(of: Int(server.processIdentifier)))
        } while second.threads > 1
        #expect(second.cpuTime(since: first) >= 300_000_000)
    }

    @Test func aSampleAtTheEdgeOfAPeriodReplacesAnEarlierOne() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sleep")
        process.arguments = ["20"]
        try process.run()
        defer { process.waitUntilExit() }
        defer { _ = kill(process.processIdentifier, SIGKILL) }
        let clock = Mutex<Int64>(0)
        let observer = ProcessObserver(
            [ObservedTarget(.server, pid: Int(process.processIdentifier))]
        ) { clock.withLock { $0 } }
        for (milliseconds, isEdge) in [
            (0, false), (1_000, false), (1_100, true), (1_200, false), (1_300, true),
            // A slow sample: by the time it is added, a later one is already there.
            (1_250, true), (2_000, false),
        ] {
            clock.withLock { $0 = Int64(milliseconds) * 1_000_000 }
            observer.sample(isEdge: isEdge)
        }
        let times = observer.processes(since: 0).first?.samples.map {
            $0.timeNanoseconds / 1_000_000
        }
        #expect(times == [0, 1_100, 1_300, 2_000])
    }

    @Test func aProcessThatIsNotThereHasNoSamples() {
        let observer = ProcessObserver([ObservedTarget(.server, pid: 4_194_304 * 2)])
        observer.sample()
        #expect(observer.processes(since: 0).isEmpty)
    }
}

extension FileHandle {
    /// Returns the bytes up to the next line feed, or up to the end.
    fileprivate func line() -> Data {
        var line = Data()
        while let byte = try? read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        return line
    }
}

/// What a search reports as saturated.
struct SaturationTests {
    private func step(
        server: Double?, threads: Int = 4, generator: Double?
    ) -> RateSearchResults.Step {
        var step = RateSearchResults.Step(
            ratePerSecond: 100, purpose: "doubling", outcome: .failed, achievedPerSecond: 100,
            thresholds: [], reasons: [])
        (step.serverCores, step.serverThreads, step.generatorCores) = (server, threads, generator)
        return step
    }

    @Test func theServerTheGeneratorOrTheMachineIsNamed() {
        func text(_ step: RateSearchResults.Step, isBound: Bool = false) -> String? {
            step.saturation(processors: 2, isBoundByGenerator: isBound)
        }
        #expect(text(step(server: 1.9, generator: 0.1)) == "the server used 1.90 of 2 cores")
        #expect(
            text(step(server: 0.97, threads: 1, generator: 0.2))
                == "the server's only thread used 0.97 of 2 cores")
        #expect(
            text(step(server: 1.1, generator: 0.8))
                == "the server used 1.10 of this machine's 2 cores, the generator 0.80")
        #expect(
            text(step(server: 0.2, generator: 0.1))
                == "CPU was not the bottleneck: the server used 0.20 of 2 cores, the generator 0.10"
        )
        #expect(
            text(step(server: nil, generator: 0.98), isBound: true)
                == "the generator used 0.98 of 2 cores")
        #expect(text(step(server: nil, generator: 0.3)) == nil)
        #expect(text(step(server: nil, generator: nil)) == nil)
    }
}
