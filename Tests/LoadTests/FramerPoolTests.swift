import DialectFiles
import LineProtocol
import Testing

@testable import Load

@Suite final class FramerPoolTests {
    private var pool: FramerPool
    private var own = [Int32](repeating: -1, count: 3)

    init() throws { pool = FramerPool(try DialectLibrary.find("irc").dialect) }

    /// Feeds bytes to an operator's framer and returns the lines that they complete.
    private func read(_ text: String, _ index: Int) throws -> [String] {
        let slot = pool.reserve(&own[index])
        let borrowed = pool.borrow(slot)
        let pooled = try #require(borrowed)
        pooled.framer.append(Array(text.utf8))
        var lines: [String] = []
        while let frame = pooled.framer.next() {
            lines.append(String(decoding: pooled.framer.buffer[frame.line], as: UTF8.self))
        }
        pool.giveBack(pooled, slot, &own[index])
        return lines
    }

    @Test func operatorsKeepUnfinishedLinesAndShareFreeFramers() throws {
        #expect(try read("PING a\r\n", 0) == ["PING a"])
        #expect(own[0] == -1)
        #expect(try read("PING", 1) == [])
        #expect(own[1] == 0)
        #expect(try read("PONG", 2) == [])
        #expect(own[2] == 1)
        #expect(try read(" b\r\n", 1) == ["PING b"])
        #expect(try read(" c\r\n", 2) == ["PONG c"])
        #expect(own == [-1, -1, -1])
    }

    @Test func discardedLinesAreForgotten() throws {
        #expect(try read("PI", 0) == [])
        pool.discard(&own[0])
        #expect(own[0] == -1)
        #expect(try read("NG\r\n", 0) == ["NG"])
    }

    /// A line can end an operator's connection while its framer is borrowed. The slot must not
    /// become free twice, because two operators would then share a framer.
    @Test func slotDiscardedWhileBorrowedIsFreeOnlyOnce() throws {
        let slot = pool.reserve(&own[0])
        let borrowed = pool.borrow(slot)
        let pooled = try #require(borrowed)
        #expect(pool.borrow(slot) === nil)
        pool.discard(&own[0])
        pool.giveBack(pooled, slot, &own[0])
        #expect(try read("one", 1) == [])
        #expect(try read("two", 2) == [])
        #expect(own[1] != own[2])
        #expect(try read("\r\n", 1) == ["one"])
        #expect(try read("\r\n", 2) == ["two"])
    }
}
