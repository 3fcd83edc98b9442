import Glibc
import Runner
import Testing

@testable import Conformance

/// What can be seen of a server from outside.
struct ServerStateTests {
    @Test func aProcessIsReadWhateverItsName() throws {
        let text = "7 (a b) c) S 1 7 5 0 -1 0 0 0 0 0 30 12 0 0 20 0 1 0 99 1000 250 rest 1 2"
        let stat = try #require(ProcessStat(text))
        #expect(stat.session == 5)
        #expect(stat.cpuTicks == 42)
        #expect(!stat.isRunnable)
        #expect(stat.residentPages == 250)
        #expect(ProcessStat("7 nothing") == nil)
    }

    @Test func aThreadThatWantsTheCPUIsRecognised() throws {
        let text = "7 (R) R 1 7 5 0 -1 0 0 0 0 0 30 12 0 0 20 0 1 0 99 1000 250 rest 1 2"
        #expect(try #require(ProcessStat(text)).isRunnable)
    }

    @Test func symptomsAreNamed() {
        var before = ServerState()
        before.cpuTicks = 100
        var measure = ServerMeasure(before)
        #expect(measure.symptom == nil)
        var later = before
        later.closeWait = 1
        later.unreadBytes = 2050
        later.cpuTicks = 195
        measure.note(later, at: 1_000_000_000)
        #expect(
            measure.symptom
                == "the server ignores the client's close (its socket is in CLOSE_WAIT), "
                + "2050 bytes are unread, the server uses 95% of a core")
    }

    @Test func thePeakIsKept() {
        var measure = ServerMeasure(ServerState())
        for bytes in [10, 30, 20] {
            var state = ServerState()
            state.residentBytes = bytes
            measure.note(state, at: 1)
        }
        #expect(measure.peak.residentBytes == 30)
        #expect(measure.last.residentBytes == 20)
    }

    @Test func aServerOfThisMachineCanBeLookedAt() {
        #expect(LoopbackWatch(port: 1).look()?.established == 0)
    }

    /// The server need not lead its session: a supervisor may have started it.
    @Test func theResourceUseIsThatOfTheWholeSession() throws {
        let state = try #require(LoopbackWatch(port: 1, process: Int(getpid())).look())
        #expect((state.cpuTicks ?? 0) > 0)
        #expect((state.residentBytes ?? 0) > 1_000_000)
        #expect((state.openFiles ?? 0) > 0)
    }

    /// The main thread sleeps, and only another one wants the CPU.
    @Test func everyThreadOfAServerCounts() async throws {
        let spinner = """
            import socket, sys, threading
            s = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            threading.Thread(target=exec, args=("while True: pass",), daemon=True).start()
            threading.Event().wait()
            """
        try await ServerUnderTest.run(ServerCommand("python3 -c '\(spinner)' {{port}}")) { server in
            let watch = LoopbackWatch(port: 1, process: server.processID)
            #expect(watch.look()?.isRunnable == true)
            var observer = ServerObserver(watch: watch)
            observer.busyMax = .milliseconds(300)
            #expect(await !observer.idled())
        }
    }
}
