import Diagnostics
import DialectFiles

/// Formats of durations in plans.
extension ValueFormat where Value == Int64 {
    /// A duration in nanoseconds, or 0.
    static var time: Self {
        Self(PlanText.timeShape) { setting in
            if case .scalar("0", _) = setting.value.kind { return 0 }
            return setting.duration()
        }
    }

    /// A duration of at least ``OperatorBehaviour/timeMin``.
    static var stay: Self {
        Self(.pattern("^\(Durations.pattern)$", example: "10s")) { setting in
            guard let time = setting.duration() else { return nil }
            if time >= OperatorBehaviour.timeMin { return time }
            setting.problems.error(
                "dialect.bad-value", "`\(setting.path)` must be 200ms or longer",
                at: setting.value.range)
            return nil
        }
    }
}

extension ValueFormat where Value == ThinkTime {
    static var think: Self {
        let time = Durations.pattern
        return parsed(
            .any([
                .pattern("^(0|~\(time)|\(time)(\\.\\.\(time))?)$", example: "1s..3s"),
                .number(0...0),
            ])
        ) { text throws(PlanText.Malformed) in
            try PlanText.think(text) { Durations.nanoseconds($0) }
        }
    }
}

extension ValueFormat where Value == Double {
    static var byteRate: Self {
        parsed(PlanText.bytesShape("(/s)?", example: "200B/s"), PlanText.byteRate)
    }
}

extension ValueFormat where Value == Int {
    static var receiveBuffer: Self {
        parsed(PlanText.bytesShape("", example: "4KiB"), PlanText.receiveBuffer)
    }
}

extension ValueFormat {
    /// A string parsed by `parse`.
    static func parsed(
        _ shape: ValueShape,
        _ parse: @escaping @Sendable (String) throws(PlanText.Malformed) -> Value
    ) -> Self {
        Self(shape) { setting in
            guard let text = setting.text(bytesMax: 64) else { return nil }
            do throws(PlanText.Malformed) {
                return try parse(text)
            } catch {
                PlanReader.refuse(setting, text, error.expected)
                return nil
            }
        }
    }
}

/// Expected forms of values, for error messages and the JSON Schema.
extension PlanText {
    private static let numberPattern = "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?"

    static let ratePattern = "\(numberPattern)(/[smh])?"
    static let rateShape = ValueShape.any([
        .pattern("^\(ratePattern)$", example: "100/s"), .quantity,
    ])
    static let timeShape = ValueShape.any([
        .pattern("^(0|\(Durations.pattern))$", example: "5s"), .number(0...0),
    ])

    static func bytesShape(_ suffix: String, example: String) -> ValueShape {
        .any([
            .pattern("^\(numberPattern)(B|KB|KiB|MB|MiB)?\(suffix)$", example: example), .quantity,
        ])
    }
}
