import FoundationEssentials

/// Version 1 of a results schema. Some of its members were renamed in version 2.
struct FirstVersion {
    /// The version 1 schemas, by name.
    static let schemas = [
        "linejudge.run/1": FirstVersion(
            current: RunResults.schema, newNames: ["stepsPlayed": "stepsRun"]),
        "linejudge.check/1": FirstVersion(current: CheckResults.schema, newNames: namesInChecks),
        "linejudge.check-matrix/1": FirstVersion(
            current: CheckMatrix.schema, newNames: namesInChecks),
        "linejudge.load/1": FirstVersion(
            current: LoadResults.schema,
            newNames: [
                "persona": "behaviour", "personas": "behaviours", "promises": "thresholds",
                "quantumNanoseconds": "batchIntervalNanoseconds", "strangers": "foreign",
            ]),
    ]

    private static let namesInChecks = [
        "basisPlace": "basisLocation", "casesPlayed": "casesRun", "lock": "baseline",
        "pinned": "recorded", "plays": "runs", "row": "rule", "subject": "parameter",
    ]

    /// Name of the corresponding version 2 schema.
    var current: String
    /// The version 2 names of renamed members, by version 1 name.
    private var newNames: [String: String]

    /// A strategy that converts member names to version 2.
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
        .custom { [newNames] path in
            let key = path[path.count - 1]
            return newNames[key.stringValue].map(NewName.init(stringValue:)) ?? key
        }
    }

    private struct NewName: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
