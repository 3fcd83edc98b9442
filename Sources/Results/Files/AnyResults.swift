import Foundation

/// Results of one kind or the other, told apart by the schema that their file names.
package enum AnyResults: Sendable {
    case run(RunResults)
    case load(LoadResults)
    /// Checks of one server or of several.
    case check(CheckMatrix)

    /// Why a file holds no results.
    package struct Unreadable: Error, Sendable, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// Reads a results file.
    package init(_ bytes: [UInt8]) throws(Unreadable) {
        struct Head: Decodable { var schema: String }
        guard bytes.count <= ResultsFile.bytesMax else {
            throw Unreadable(description: "it has more than \(ResultsFile.bytesMax) bytes")
        }
        let data = Data(bytes)
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            throw Unreadable(description: "it is no results file: no JSON with a `schema`")
        }
        do {
            switch head.schema {
            case RunResults.schema: self = .run(try ResultsFile.results(from: bytes))
            case LoadResults.schema: self = .load(try ResultsFile.results(from: bytes))
            case CheckResults.schema:
                self = .check(CheckMatrix(try ResultsFile.results(CheckResults.self, from: bytes)))
            case CheckMatrix.schema: self = .check(try ResultsFile.results(from: bytes))
            default:
                throw Unreadable(
                    description: "its schema is `\(head.schema)`; this version reads "
                        + "\(RunResults.schema), \(LoadResults.schema), \(CheckResults.schema) and "
                        + "\(CheckMatrix.schema)")
            }
        } catch let error as Unreadable {
            throw error
        } catch {
            throw Unreadable(
                description: "its schema is \(head.schema), but it does not hold what that says: "
                    + Self.words(error))
        }
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            (context.codingPath + [key].compactMap(\.self)).map(\.stringValue)
                .joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "`\(place(context, key))` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            return "`\(place(context))` is of another kind"
        @unknown default: return "it cannot be decoded"
        }
    }

    /// The word for the kind.
    package var kind: String {
        switch self {
        case .run: "run"
        case .load: "load"
        case .check: "check"
        }
    }

    /// How the run, load or check ended.
    package var exitCode: ExitCode {
        switch self {
        case .run(let run): run.exitCode
        case .load(let load): load.exitCode
        case .check(let matrix): matrix.exitCode
        }
    }
}
