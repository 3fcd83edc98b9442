import LineProtocol
import NIOCore
import ReferenceServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct PressureTests {
    /// A small send buffer that fills up quickly.
    private static let narrow: @Sendable (any Channel) throws -> Void = { channel in
        let option = ChannelOptions.socketOption(.so_sndbuf)
        channel.setOption(option, value: 16_384).whenFailure { _ in channel.close(promise: nil) }
    }

    @Test func slowReaderIsDisconnectedAndOthersGetEverything() async throws {
        try await withServer {
            $0.sendQueueBytesMax = 20_000
            $0.prepareConnection = Self.narrow
        } _: { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            let joe = try await TestClient.logIn("Joe", to: server)
            let slow = try await TestClient.connect(to: server, reads: false)
            try await slow.send("S0001|Slow\nS0005|1\n")
            #expect(await joe.next("R0012") == "R0012|3|Slow")
            for client in [joe, maria] {
                try await client.send("S0005|1\n")
                _ = try await client.barrier()
            }
            // 400 texts exceed what the socket buffers and the queue hold.
            let text = String(repeating: "x", count: 4_000)
            var number = 0
            var seenByMaria: [String] = []
            while seenByMaria.isEmpty, number < 400 {
                number += 1
                try await maria.send("S0004|0|1|\(text)\n")
                let line = await joe.next("R0004")?.prefix(12)
                try #require(line?.hasPrefix("R0004|\(number)|x") == true)
                seenByMaria = try await maria.barrier()
            }
            #expect(
                seenByMaria == ["R0006|1|Slow", "R0013|3|Slow|reads too slowly"])
            try await slow.startReading()
            let seen = await slow.rest()
            #expect(seen.last == "R0018|reads too slowly")
            #expect(seen.filter { $0.hasPrefix("R0004|") }.count < number)
        }
    }

    @Test func aBurstOfTextsDoesNotDisconnectAReader() async throws {
        try await withServer {
            $0.sendQueueBytesMax = 20_000
            // All texts fit, so it does not matter how soon the reader runs.
            $0.prepareConnection = { channel in
                let option = ChannelOptions.socketOption(.so_sndbuf)
                channel.setOption(option, value: 1_000_000).whenFailure { _ in
                    channel.close(promise: nil)
                }
            }
        } _: { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            let joe = try await TestClient.logIn("Joe", to: server)
            for client in [joe, maria] {
                try await client.send("S0005|1\n")
                _ = try await client.barrier()
            }
            // In one write, so that one turn of the server's loop has more for Joe than his queue
            // holds.
            let text = String(repeating: "x", count: 1_000)
            try await maria.send(String(repeating: "S0004|0|1|\(text)\n", count: 200))
            #expect(try await maria.barrier() == [])
            #expect(try await joe.barrier().count { $0.hasPrefix("R0004|") } == 200)
        }
    }

    @Test func manyLargeAnswersDoNotDisconnect() async throws {
        try await withServer {
            $0.sendQueueBytesMax = 1_000
            $0.prepareConnection = Self.narrow
        } _: { server in
            let client = try await TestClient.logIn("Joe", to: server)
            try await client.send("S0005|1\n")
            let text = String(repeating: "x", count: 100)
            try await client.send(String(repeating: "S0004|0|1|\(text)\n", count: 512))
            _ = try await client.barrier()
            // Far more answers than the sockets hold, for 64 bytes of requests.
            try await client.send(String(repeating: "S0009|1\n", count: 8))
            let lines = try await client.barrier()
            #expect(lines.count == 8 * 513)
            #expect(lines.filter { $0 == "R0011|1|512" }.count == 8)
        }
    }

    @Test func halfClosedClientGetsCompleteLargeAnswers() async throws {
        try await withServer {
            $0.prepareConnection = Self.narrow
        } _: { server in
            let client = try await TestClient.logIn("Joe", to: server)
            try await client.send("S0005|1\n")
            let text = String(repeating: "x", count: 100)
            try await client.send(String(repeating: "S0004|0|1|\(text)\n", count: 512))
            try await client.send(String(repeating: "S0009|1\n", count: 8))
            try await client.halfClose()
            #expect(await client.rest().filter { $0 == "R0011|1|512" }.count == 8)
        }
    }

    @Test func randomBytesFromManyClientsDoNoHarm() async throws {
        try await withServer { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 0..<50 {
                    group.addTask { try await sendNoise(UInt64(seed), to: server) }
                }
                try await group.waitForAll()
            }
            #expect(await server.counts() == ServerCounts())
            let client = try await TestClient.logIn("Joe", to: server)
            #expect(try await client.barrier() == [])
        }
    }

    /// Sends random lines, some of them commands, then half-closes and reads to the end.
    private func sendNoise(_ seed: UInt64, to server: ReferenceServer) async throws {
        var random = SeededRandom(seed: seed)
        let client = try await TestClient.connect(to: server)
        for _ in 0..<20 {
            var bytes: [UInt8] = []
            for _ in 0..<random.next(below: 40) {
                bytes += noise(&random)
            }
            // The noise may contain a logout, after which the server closes.
            try? await client.send(bytes)
        }
        try? await client.halfClose()
        for line in await client.rest() { #expect(line.hasPrefix("R00")) }
    }

    private func noise(_ random: inout SeededRandom) -> [UInt8] {
        let commands = (1...12).map { "S00\($0 < 10 ? "0" : "")\($0)" }
        switch random.next(below: 4) {
        case 0:
            return (0..<random.next(below: 100)).map { _ in UInt8(random.next(below: 256)) }
        case 1:
            return "S0001|n\(random.next(below: 30))\n".bytes
        case 2:
            return
                "\(commands[random.next(below: 10)])|\(random.next(below: 3))|\(random.next(below: 3))|x\n"
                .bytes
        default:
            // No logout or login, which would end the noise early.
            let command = commands[2 + random.next(below: 9)]
            return "\(command)|".bytes
                + (0..<random.next(below: 20)).map { _ in
                    UInt8(random.next(below: 256))
                } + [0x0A]
        }
    }
}
