import FoundationEssentials

/// Results of a run, a load test or checks. The `schema` in the file determines which.
package indirect enum AnyResults: Sendable {
    case run(RunResults)
    case load(LoadResults)
    /// Results of `load --repeat`.
    case repeatedLoad(RepeatedLoad)
    /// Results of checks on one or more servers.
    case check(CheckMatrix)

    /// The reason a results file cannot be read.
    package struct Unreadable: Error, Sendable, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// Decodes a results file of any kind.
    package init(_ bytes: [UInt8]) throws(Unreadable) {
        /// The part of a results file that determines its kind.
        struct Head: Decodable { var schema: String }
        guard bytes.count <= ResultsFile.bytesMax else {
            throw Unreadable(description: "larger than the limit of \(ResultsFile.bytesMax) bytes")
        }
        let data = Data(bytes)
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            throw Unreadable(
                description: Self.isCutOff(bytes)
                    ? "incomplete JSON: the end of the file is missing"
                    : "not a results file: expected JSON with a `schema`")
        }
        let decoder = JSONDecoder()
        let firstVersion = FirstVersion.schemas[head.schema]
        if let firstVersion { decoder.keyDecodingStrategy = firstVersion.keyDecodingStrategy }
        do {
            switch firstVersion?.current ?? head.schema {
            case RunResults.schema: self = .run(try decoder.decode(RunResults.self, from: data))
            case LoadResults.schema:
                var load = try decoder.decode(LoadResults.self, from: data)
                load.schema = LoadResults.schema
                self = .load(load)
            case RepeatedLoad.schema:
                self = .repeatedLoad(try decoder.decode(RepeatedLoad.self, from: data))
            case CheckResults.schema:
                self = .check(CheckMatrix(try decoder.decode(CheckResults.self, from: data)))
            case CheckMatrix.schema: self = .check(try decoder.decode(CheckMatrix.self, from: data))
            default:
                throw Unreadable(
                    description: "unknown schema `\(head.schema)`; this version reads "
                        + "\(RunResults.schema), \(LoadResults.schema), \(CheckResults.schema) and "
                        + "\(CheckMatrix.schema), version 1 of each, and \(RepeatedLoad.schema)")
            }
        } catch let error as Unreadable {
            throw error
        } catch {
            throw Unreadable(
                description: "does not match its schema \(head.schema): "
                    + Self.text(error))
        }
    }

    /// Returns true if the text starts like a JSON object but does not end like one.
    private static func isCutOff(_ bytes: [UInt8]) -> Bool {
        func isText(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") }
        return bytes.first(where: isText) == UInt8(ascii: "{")
            && bytes.last(where: isText) != UInt8(ascii: "}")
    }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            (context.codingPath + [key].compactMap(\.self)).map(\.stringValue)
                .joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "`\(path(context, key))` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            return "`\(path(context))` has the wrong type"
        @unknown default: return "it cannot be decoded"
        }
    }

    /// Kind of the results, as named in messages.
    package var kind: String {
        switch self {
        case .run: "run"
        case .load: "load"
        case .repeatedLoad: "repeated load"
        case .check: "check"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .run(let run): run.exitCode
        case .load(let load): load.exitCode
        case .repeatedLoad(let loads): loads.exitCode
        case .check(let matrix): matrix.exitCode
        }
    }
}
