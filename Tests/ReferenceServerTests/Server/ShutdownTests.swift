import NIOCore
import NIOPosix
import ReferenceServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShutdownTests {
    @Test func shutdownNotifiesEveryClientAndCloses() async throws {
        try await withServer { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            let unnamed = try await TestClient.connect(to: server)
            try await unnamed.send("S0003|here\n")
            #expect(await unnamed.next() == "R0003|here")
            try await maria.send("S0003|before\n")
            #expect(await maria.next() == "R0003|before")
            await server.shutdown()
            #expect(await maria.rest() == ["R0017|0|the server is shutting down"])
            #expect(await unnamed.rest() == ["R0017|0|the server is shutting down"])
            await #expect(throws: (any Error).self) {
                try await TestClient.connect(to: server)
            }
        }
    }

    @Test func shutdownDoesNotWaitForAClientThatDoesNotRead() async throws {
        try await withServer {
            $0.lingerMillisecondsMax = 100
        } _: { server in
            let deaf = try await TestClient.connect(to: server, reads: false)
            try await deaf.send("S0001|Deaf\n")
            let maria = try await TestClient.logIn("Maria", to: server)
            #expect(try await maria.barrier() == [])
            await server.shutdown()
            #expect(await maria.rest() == ["R0017|0|the server is shutting down"])
        }
    }

    @Test func secondShutdownHasNoEffect() async throws {
        try await withServer { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            await server.shutdown()
            await server.shutdown()
            #expect(await maria.rest() == ["R0017|0|the server is shutting down"])
            #expect(await server.counts() == ServerCounts())
        }
    }
}
