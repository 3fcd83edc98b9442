import Foundation
import LineProtocol
import Results
import Testing

@testable import Load

@Test func percentilesAreExactToThreeDigits() {
    var histogram = LatencyHistogram()
    for value in 1...100_000 { histogram.record(Int64(value) * 1_000) }
    for percent in [1.0, 25, 50, 90, 99, 99.9] {
        let exact = percent * 1_000_000
        #expect(abs(Double(histogram.percentile(percent)) - exact) <= exact / 1_000 + 1_000)
    }
    #expect(histogram.count == 100_000)
    #expect(histogram.maximum == 100_000_000)
    #expect(abs(histogram.mean / 50_000_500 - 1) < 0.001)
}

@Test func anEmptyHistogramHasNoLatencies() {
    let histogram = LatencyHistogram()
    #expect(histogram.percentile(99) == 0)
    #expect(histogram.maximum == 0)
    #expect(histogram.mean == 0)
    #expect(histogram.values.isEmpty)
}

@Test func whatIsOutOfRangeCountsAsTheLast() {
    var histogram = LatencyHistogram()
    histogram.record(-5)
    histogram.record(.max)
    #expect(histogram.count == 2)
    #expect(histogram.clamped == 1)
    #expect(histogram.minimum == 0)
    #expect(histogram.maximum == LatencyHistogram.nanosecondsMax)
}

@Test(arguments: [1, 2, 10, 500]) func percentilesAreThoseOfTheSortedValues(_ count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    for _ in 0..<50 {
        // Values of every magnitude, in any order, in two histograms that are merged.
        let values = (0..<count).map { _ in
            UInt64(exp2(Double(random.next() >> 11) * 0x1p-53 * 41.5))
        }
        var (histogram, other) = (LatencyHistogram(), LatencyHistogram())
        for (number, value) in values.enumerated() {
            if number % 3 == 0 {
                other.record(Int64(value))
            } else {
                histogram.record(value, count: 1)
            }
        }
        histogram.merge(other)
        let sorted = values.sorted()
        #expect(histogram.count == UInt64(count))
        #expect(histogram.minimum == sorted.first)
        #expect(histogram.maximum == sorted.last)
        #expect(histogram.percentile(0) == sorted.first)
        #expect(histogram.percentile(100) == sorted.last)
        for percent in [0.1, 1, 10, 25, 50, 75, 90, 99, 99.9] {
            let rank = Int((percent / 100 * Double(count)).rounded(.up))
            let exact = sorted[max(rank, 1) - 1]
            let step = HistogramCodec.value(at: HistogramCodec.index(of: exact))
            #expect(histogram.percentile(percent) == min(step, histogram.maximum), "\(percent)")
        }
        let mean = values.reduce(0) { $0 + Double($1) } / Double(count)
        #expect(abs(histogram.mean / mean - 1) < 0.001)
        let squares = values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        let deviation = (squares / Double(count)).squareRoot()
        #expect(abs(histogram.deviation - deviation) <= 0.001 * (deviation + mean))
    }
}

@Test func countsThatAreTooLargeSaturate() {
    var histogram = LatencyHistogram()
    histogram.record(5, count: .max)
    histogram.record(5, count: 2)
    histogram.record(9, count: 1)
    histogram.merge(histogram)
    #expect(histogram.count == .max)
    #expect(histogram.percentile(50) == 5)
    #expect(histogram.maximum == 9)
}

@Test func mergingCountsNothingTwiceAndLosesNothing() {
    var parts = (0..<3).map { _ in LatencyHistogram() }
    var whole = LatencyHistogram()
    var random = SeededRandom(seed: 5)
    for number in 0..<30_000 {
        let value = Int64(random.nextExponential() * 1e7)
        parts[number % 3].record(value)
        whole.record(value)
    }
    var merged = LatencyHistogram()
    for part in parts { merged.merge(part) }
    #expect(
        merged.values.elementsEqual(whole.values) { $0.value == $1.value && $0.count == $1.count })
    #expect(merged.maximum == whole.maximum)
    #expect(merged.minimum == whole.minimum)
}

@Test func responseTimesCountFromTheIntentionAndServiceTimesFromTheSend() {
    var recorder = LatencyRecorder()
    recorder.record(.probe, intended: 1_000, sent: 5_000, over: 6_000)
    #expect(recorder.response(.probe)?.maximum == 5_000)
    #expect(recorder.service(.probe)?.maximum == 1_000)
    #expect(recorder.response(.say) == nil)
}

@Test func aSecondIsHandedOverOnce() {
    var recorder = LatencyRecorder()
    recorder.record(.relay, intended: 0, sent: 0, over: 10)
    recorder.record(.connect, 10)
    let keys = Array(recorder.takeInterval().keys)
    #expect(keys == [.relay])
    let isEmpty = recorder.takeInterval().isEmpty
    #expect(isEmpty)
    #expect(recorder.response(.relay)?.count == 1)
}

/// The test that most load generators fail: a server that freezes for one second out of six.
@Test func aServerThatStoodStillShowsInTheResponseTimes() {
    var schedule = ArrivalSchedule([RateStage(duration: 6_000_000_000, rate: 20_000)])
    var recorder = LatencyRecorder()
    while let intended = schedule.next {
        schedule.advance()
        // The server answers within 50 µs, except between 2 s and 3 s.
        let stands = (2_000_000_000..<3_000_000_000).contains(intended)
        let over = (stands ? 3_000_000_000 : intended) + 50_000
        recorder.record(.probe, intended: intended, sent: intended, over: over)
    }
    #expect((recorder.response(.probe)?.percentile(99) ?? 0) >= 900_000_000)
    #expect((recorder.response(.probe)?.percentile(50) ?? 0) < 100_000)
}

@Test func everyMeasureHasItsName() {
    for metric in LatencyMetric.allCases { #expect(LatencyMetric(name: metric.name) == metric) }
    #expect(LatencyMetric(name: "p99") == nil)
}

@Test func whatIsCountedByStepsIsWhatAHistogramCounts() {
    var random = SeededRandom(seed: 5)
    var times = LatencyAccumulator()
    var (each, settled) = (LatencyRecorder(), LatencyRecorder())
    for number in 0..<5_000 {
        let over = Int64(random.nextExponential() * 1e7) + (number == 17 ? 4_000_000_000_000 : 0)
        each.record(.say, intended: -5_000, sent: over / 3, over: over)
        times.record(intended: -5_000, sent: over / 3, over: over)
        if number % 1_000 == 0 { times.settle(.say, into: &settled) }
    }
    times.settle(.say, into: &settled)
    times.settle(.say, into: &settled)
    let pairs = [
        (each.response(.say), settled.response(.say)),
        (each.service(.say), settled.service(.say)),
        (each.takeInterval()[.say], settled.takeInterval()[.say]),
    ]
    for (expected, found) in pairs {
        #expect(expected?.values.map(\.value) == found?.values.map(\.value))
        #expect(expected?.values.map(\.count) == found?.values.map(\.count))
        #expect(expected?.minimum == found?.minimum)
        #expect(expected?.maximum == found?.maximum)
        #expect(expected?.clamped == found?.clamped)
    }
    #expect(settled.response(.say)?.clamped == 1)
}

@Test func timesThatNeverCameLeaveNoHistogram() {
    var times = LatencyAccumulator()
    var recorder = LatencyRecorder()
    times.settle(.relay, into: &recorder)
    #expect(recorder.response(.relay) == nil)
    times.record(intended: 5, sent: 7, over: 3)
    times.settle(.relay, into: &recorder)
    #expect(recorder.response(.relay)?.count == 1)
    #expect(recorder.response(.relay)?.maximum == 0)
}
