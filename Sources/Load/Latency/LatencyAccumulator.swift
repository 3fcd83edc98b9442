import Glibc
import Results

/// Latency counts per histogram bucket, periodically added to the histograms.
///
/// Recording a value directly in a histogram is several times slower, and each latency goes into
/// three histograms: all response times, the current second's response times, and all service
/// times.
struct LatencyAccumulator: ~Copyable {
    private(set) var responses = BucketCounts()
    private(set) var services = BucketCounts()

    /// Counts an operation, given its intended, actual and completion times.
    @inline(__always)
    mutating func record(intended: Int64, sent: Int64, over: Int64) {
        responses.record(over &- intended)
        services.record(over &- sent)
    }

    /// Moves the counts to `recorder` and resets them.
    mutating func settle(_ metric: LatencyMetric, into recorder: inout LatencyRecorder) {
        guard !responses.isEmpty else { return }
        recorder.add(responses, services, to: metric)
        responses.clear()
        services.clear()
    }
}

/// Counts per histogram bucket.
@safe
struct BucketCounts: ~Copyable {
    private static let size = HistogramCodec.index(of: LatencyHistogram.nanosecondsMax) + 1

    /// One count per bucket. The system allocates a memory page only when it is first written.
    private let counts: UnsafeMutablePointer<UInt32>
    /// A copy of ``LatencyHistogram/nanosecondsMax``, which takes a function call to read.
    private let nanosecondsMax = LatencyHistogram.nanosecondsMax
    private(set) var minimum = UInt64.max
    private(set) var maximum: UInt64 = 0
    /// Number of values capped at ``LatencyHistogram/nanosecondsMax``.
    private(set) var clamped: UInt64 = 0

    init() {
        let memory = unsafe calloc(Self.size, MemoryLayout<UInt32>.stride)
        guard let memory = unsafe memory else {
            preconditionFailure("no memory for \(Self.size) counts")
        }
        unsafe counts = unsafe memory.bindMemory(to: UInt32.self, capacity: Self.size)
    }

    deinit { unsafe free(counts) }

    var isEmpty: Bool { minimum > maximum }

    private var steps: ClosedRange<Int> {
        HistogramCodec.index(of: minimum)...HistogramCodec.index(of: maximum)
    }

    /// Counts a value; negative values count as 0.
    @inline(__always)
    mutating func record(_ nanoseconds: Int64) {
        var value = UInt64(truncatingIfNeeded: max(nanoseconds, 0))
        if value > nanosecondsMax {
            clamped &+= 1
            value = nanosecondsMax
        }
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        unsafe counts[HistogramCodec.index(of: value)] &+= 1
    }

    /// Calls `body` for each non-empty bucket, with the bucket's highest value and its count.
    func forEach(_ body: (_ value: UInt64, _ count: UInt64) -> Void) {
        guard !isEmpty else { return }
        for step in steps {
            let count = unsafe counts[step]
            if count > 0 { body(HistogramCodec.value(at: step), UInt64(count)) }
        }
    }

    mutating func clear() {
        guard !isEmpty else { return }
        for step in steps { unsafe counts[step] = 0 }
        (minimum, maximum, clamped) = (.max, 0, 0)
    }
}

extension LatencyHistogram {
    /// Adds counts collected by a ``LatencyAccumulator``.
    mutating func add(_ counts: borrowing BucketCounts) {
        let (minimum, maximum) = (counts.minimum, counts.maximum)
        var ascending = LatencyHistogram(clamped: counts.clamped)
        counts.forEach { value, count in
            ascending.record(stepOf: value, count: count, minimum: minimum, maximum: maximum)
        }
        merge(ascending)
    }
}
