import FoundationEssentials

/// Version 1 of a results schema. Some of its members have other names in version 2.
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
    /// The members that were renamed: from the names in version 1 to those in version 2.
    private var newNames: [String: String]

    /// A strategy that renames members to their names in version 2.
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
