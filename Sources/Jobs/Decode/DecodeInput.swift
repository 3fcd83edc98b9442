import Capture
import Diagnostics
import LiveCapture
import Results

/// The source of the packets to decode.
enum DecodeInput {
    /// Maximum number of files to list by name.
    private static let namesMax = 3

    case interface(InterfaceRequest)
    /// A capture that is read once, such as standard input.
    case capture(OpenedCapture)
    /// One or more files that are read as one stream.
    case files(CaptureFileSet)

    /// Opens the captures, unless packets come from an interface.
    init(_ request: DecodeRequest) throws(CommandFailure) {
        if let interface = request.interface {
            self = .interface(interface)
        } else if request.readsFileSet {
            self = .files(try CaptureFileSet(request.paths))
        } else {
            self = .capture(try OpenedCapture(request.paths.first ?? "-"))
        }
    }

    /// Name for reports; nil for a network interface.
    var name: String? {
        switch self {
        case .interface: return nil
        case .capture(let capture): return capture.path
        case .files(let files):
            let shown = files.paths.prefix(Self.namesMax).joined(separator: ", ")
            let others = files.paths.count - Self.namesMax
            return others > 0 ? "\(shown) and \(counted(others, "other file"))" : shown
        }
    }

    /// True if one of the files cannot be opened.
    var isIncomplete: Bool {
        if case .files(let files) = self { files.isIncomplete } else { false }
    }
}
