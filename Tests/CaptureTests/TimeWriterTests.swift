import Testing

@testable import Capture

struct TimeWriterTests {
    /// Formats extreme times, as in crafted files, as the first time of a log.
    @Test(arguments: [
        Int64.min, Int64.min + 1, Int64.min / 2, Int64.min / 2 + 1, -1, 0, 1, Int64.max / 2,
        Int64.max - 1,
        Int64.max,
    ])
    func formatsAnyFirstTime(time: Int64) {
        for (form, count) in [(LogOptions.Times.clock, 15), (.full, 30)] {
            var writer = TimeWriter(form)
            var buffer = TextBuffer(capacity: 64)
            let isUnknown = time == CaptureRecord.timeUnknown
            #expect(writer.entersDay(time) == !isUnknown)
            writer.append(time, to: &buffer)
            let written = buffer.bytes
            #expect(isUnknown || written.count == count, "\(form) \(written.count)")
            writer.append(time, to: &buffer)
            #expect(buffer.bytes == written + written)
        }
    }
}
