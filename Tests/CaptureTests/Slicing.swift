import DialectFiles
import DialectModel
import LineProtocol

@testable import Capture

/// A slice of a capture, made in one of the two ways.
struct Slicing {
    /// Whether the capture is read once or twice.
    enum Passes: CaseIterable {
        case one, two
    }

    /// The slice.
    var bytes: [UInt8]
    var packets: Int
    var connections: Int
    var incompleteConnections: Int

    private final class Written {
        var bytes: [UInt8] = []
    }

    init(
        _ capture: [UInt8], _ passes: Passes = .one,
        heldBytesMax: Int = SliceCollector.heldBytesMax,
        options: ReassemblyOptions = ReassemblyOptions(), hasComments: Bool = true,
        dialect: String = "irc", anonymiser: Anonymiser? = nil,
        _ change: (inout ConversationSelection) -> Void = { _ in }
    ) throws {
        let bound = BoundDialect(try DialectLibrary.find(dialect).dialect)
        var selection = ConversationSelection()
        change(&selection)
        let selected = selection.slice
        var filter = ConversationFilter(SilentSink(), bound.dialect, selection)
        if !selected.isComplete { filter.shownConnections = selected }
        let written = Written()
        func collector(_ selection: SliceSelection) -> SliceCollector {
            SliceCollector(
                selection, isGenerated: anonymiser != nil, heldBytesMax: heldBytesMax
            ) {
                written.bytes += $0
                return true
            }
        }
        var used = collector(selected)
        func read<Sink: ConversationSink>(_ sink: Sink, _ slice: SliceCollector?) {
            var decoder = CaptureDecoder(MemorySource(capture), sink, bound, options)
            decoder.slice = slice
            do throws(CaptureError) {
                try decoder.run()
            } catch {
                // A damaged capture may end early.
            }
            decoder.finish()
        }
        func slicing(_ sink: some ConversationSink) -> SlicingSink {
            SlicingSink(sink, [bound.dialect], used, showsSecrets: false, anonymiser)
        }
        if !hasComments {
            read(filter, used)
        } else if passes == .one || selected.isComplete {
            read(slicing(filter), used)
        } else {
            read(filter, nil)
            used = collector(.only(selected.numbers))
            read(slicing(SilentSink()), used)
        }
        bytes = written.bytes
        packets = used.packets
        connections = used.connections
        incompleteConnections = used.incompleteConnections
    }

    /// A packet of a capture.
    struct Packet: Equatable {
        var bytes: [UInt8]
        var time: Int64
        var originalCount: Int
        var linkType: LinkType
        var interfaceName: String
        var snapLength: Int
    }

    /// Reads the packets of a capture.
    static func packets(_ capture: [UInt8]) throws -> [Packet] {
        guard !capture.isEmpty else { return [] }
        var reader = CaptureReader(MemorySource(capture))
        var packets: [Packet] = []
        while let record = try reader.next() {
            let interface = reader.interface(of: record)
            packets.append(
                Packet(
                    bytes: Array(reader.window[record.start..<(record.start + record.count)]),
                    time: record.time, originalCount: record.originalCount,
                    linkType: record.linkType,
                    interfaceName: String(decoding: interface?.name ?? [], as: UTF8.self),
                    snapLength: interface?.snapLength ?? -1))
        }
        return packets
    }

    /// Reads the packets of the slice.
    func read() throws -> [Packet] { try Self.packets(bytes) }
}
