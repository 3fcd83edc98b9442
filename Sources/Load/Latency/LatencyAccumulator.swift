import Glibc
import Results

/// Times that come by the million: counted where they will lie in a histogram, and put into it once in a while.
///
/// To count one in a histogram costs several times as much, and each belongs into three of them: of all responses,
/// of those of the second, and of all services.
struct LatencyAccumulator: ~Copyable {
    private(set) var responses = BucketCounts()
    private(set) var services = BucketCounts()

    /// Counts what was intended, sent and over at these times.
    @inline(__always)
    mutating func record(intended: Int64, sent: Int64, over: Int64) {
        responses.record(over &- intended)
        services.record(over &- sent)
    }

    /// Hands over what was counted, and begins anew.
    mutating func settle(_ measure: Measure, into recorder: inout LatencyRecorder) {
        guard !responses.isEmpty else { return }
        recorder.add(responses, services, to: measure)
        responses.clear()
        services.clear()
    }
}

/// How often each step of a histogram was met.
@safe
struct BucketCounts: ~Copyable {
    private static let size = HistogramCodec.place(of: LatencyHistogram.nanosecondsMax) + 1

    /// One for each step; what was never written to takes no memory.
    private let counts: UnsafeMutablePointer<UInt32>
    private(set) var least = UInt64.max
    private(set) var most: UInt64 = 0
    /// How many were longer than ``LatencyHistogram/nanosecondsMax``, which they count as.
    private(set) var clamped: UInt64 = 0

    init() {
        let memory = unsafe calloc(Self.size, MemoryLayout<UInt32>.stride)
        guard let memory = unsafe memory else {
            preconditionFailure("no memory for \(Self.size) counts")
        }
        unsafe counts = unsafe memory.bindMemory(to: UInt32.self, capacity: Self.size)
    }

    deinit { unsafe free(counts) }

    var isEmpty: Bool { least > most }

    private var steps: ClosedRange<Int> {
        HistogramCodec.place(of: least)...HistogramCodec.place(of: most)
    }

    /// Counts one; a negative one counts as 0.
    @inline(__always)
    mutating func record(_ nanoseconds: Int64) {
        var value = UInt64(truncatingIfNeeded: max(nanoseconds, 0))
        if value > LatencyHistogram.nanosecondsMax {
            clamped &+= 1
            value = LatencyHistogram.nanosecondsMax
        }
        least = min(least, value)
        most = max(most, value)
        unsafe counts[HistogramCodec.place(of: value)] &+= 1
    }

    /// Calls `body` for each step that was met, with the highest value that counts for it.
    func forEach(_ body: (_ value: UInt64, _ count: UInt64) -> Void) {
        guard !isEmpty else { return }
        for step in steps {
            let count = unsafe counts[step]
            if count > 0 { body(HistogramCodec.value(at: step), UInt64(count)) }
        }
    }

    /// Forgets all.
    mutating func clear() {
        guard !isEmpty else { return }
        for step in steps { unsafe counts[step] = 0 }
        (least, most, clamped) = (.max, 0, 0)
    }
}

extension LatencyHistogram {
    /// Adds what was counted by steps.
    mutating func add(_ counts: borrowing BucketCounts) {
        let (least, most) = (counts.least, counts.most)
        counts.forEach { value, count in
            record(stepOf: value, count: count, least: least, most: most)
        }
        clamped += counts.clamped
    }
}
