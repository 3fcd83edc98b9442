import FoundationEssentials
import Testing

@testable import Runner

struct ReservedPortTests {
    /// Nothing listens on these ports, so only the reservations keep them apart.
    @Test func reservedPortsDiffer() throws {
        var numbers: Set<Int> = []
        var count = 0
        func reserve(_ remaining: Int) throws {
            let port = ReservedPort.find()
            numbers.insert(try #require(port?.number))
            count += 1
            if remaining > 1 { try reserve(remaining - 1) }
            extendLifetime(port)
        }
        // With 600 random ports out of 15,000, some would be the same in nearly every run.
        try reserve(600)
        #expect(count == 600)
        #expect(numbers.count == 600)
    }

    @Test func portIsNotOneThatTheKernelGivesToClients() throws {
        let range = try String(
            contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8
        ).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(range.count == 2)
        for _ in 0..<20 {
            let port = ReservedPort.find()
            let number = try #require(port?.number)
            #expect(!(range[0]...range[1]).contains(number))
            #expect((10_000...65_535).contains(number))
        }
    }
}
