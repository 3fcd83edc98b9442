import Testing

@testable import LineProtocol

struct ValueConversionTests {
    static func value(_ text: String, _ type: ArgumentType) -> ArgumentValue? {
        ValueConversion.value(bytes(text), type)
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("-1", -1), ("2147483648", 2_147_483_648),
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ("00000000000000000000000001", 1),
    ])
    func integersAreParsed(text: String, number: Int64) {
        #expect(Self.value(text, .int) == .int(number))
    }

    @Test(arguments: [
        "", "-", "+", "+-1", "1e3", "0x1", " 1", "1 ", "1.0", "9223372036854775808",
        "-9223372036854775809", "100000000000000000000000000000", "١", "1\0",
    ])
    func invalidIntegersAreRejected(text: String) {
        #expect(Self.value(text, .int) == nil)
    }

    @Test(arguments: [
        ("0", Decimal64(unscaled: 0, scale: 0)), ("1.50", Decimal64(unscaled: 150, scale: 2)),
        ("-0.001", Decimal64(unscaled: -1, scale: 3)), ("+12", Decimal64(unscaled: 12, scale: 0)),
        ("9223372036854775807", Decimal64(unscaled: .max, scale: 0)),
        ("-922337203685477580.8", Decimal64(unscaled: .min, scale: 1)),
        ("0.000000000000000001", Decimal64(unscaled: 1, scale: 18)),
    ])
    func decimalsAreParsedExactly(text: String, number: Decimal64) {
        #expect(Self.value(text, .decimal) == .decimal(number))
    }

    @Test(arguments: [
        "", "-", ".", ".5", "5.", "1..2", "1.2.3", "1e5", "1,5", "9223372036854775808",
        "922337203685477580.8", "0.0000000000000000001", "--1", "1-",
    ])
    func invalidDecimalsAreRejected(text: String) {
        #expect(Self.value(text, .decimal) == nil)
    }

    @Test(arguments: [
        ("2012-06-30T23:59:59.419Z", 1_341_100_799_419_000_000),
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00z", 0),
        ("1969-12-31T23:59:59.999999999Z", -1),
        ("2012-06-30T23:59:60.419Z", 1_341_100_800_419_000_000),
        ("2000-02-29T12:00:00+02:30", 951_816_600_000_000_000),
        ("2000-02-29T12:00:00-02:30", 951_834_600_000_000_000),
        ("2262-04-11T23:47:16.854775807Z", Int64.max),
        ("2020-01-01T00:00:00.1234567899Z", 1_577_836_800_123_456_789),
    ])
    func timesAreParsed(text: String, nanoseconds: Int64) {
        #expect(Self.value(text, .time(.rfc3339)) == .time(nanoseconds))
    }

    @Test(arguments: [
        "", "2012-06-30", "2012-06-30T23:59:59", "2012-06-31T00:00:00Z", "2011-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2012-13-01T00:00:00Z", "2012-00-01T00:00:00Z",
        "2012-01-00T00:00:00Z", "2012-01-01T24:00:00Z", "2012-01-01T00:60:00Z",
        "2012-01-01T00:00:61Z", "2012-01-01T00:00:00.Z", "2012-01-01T00:00:00Zx",
        "2012-01-01T00:00:00+24:00", "2012-01-01T00:00:00+00:60", "2012-01-01T00:00:00+0000",
        "2263-01-01T00:00:00Z", "1600-01-01T00:00:00Z", "2012-01-01 00:00:00Z",
        "2012-1-01T00:00:00.0Z", "+012-01-01T00:00:00Z",
    ])
    func invalidTimesAreRejected(text: String) {
        #expect(Self.value(text, .time(.rfc3339)) == nil)
    }

    @Test(arguments: [
        (TimeFormat.unixSeconds, "1341100799.5", 1_341_100_799_500_000_000),
        (.unixSeconds, "-1", -1_000_000_000), (.unixSeconds, "0.0000000001", 0),
        (.unixMilliseconds, "1500", 1_500_000_000), (.unixMilliseconds, "0.5", 500_000),
    ])
    func unixTimesMayHaveAFraction(format: TimeFormat, text: String, nanoseconds: Int64) {
        #expect(Self.value(text, .time(format)) == .time(nanoseconds))
    }

    @Test func unixTimeThatDoesNotFitIsRejected() {
        #expect(Self.value("9223372037", .time(.unixSeconds)) == nil)
        #expect(Self.value("x", .time(.unixSeconds)) == nil)
    }

    @Test func rfc3339TimesRoundTrip() {
        var generator = SeededRandom(seed: 1)
        var times = [Int64.min + 1_000_000_000, Int64.max, 0, -1, 1]
        times += (0..<500).map { _ in
            Int64.random(in: -9_000_000_000_000_000_000...(.max), using: &generator)
        }
        times += (0..<500).map { Int64($0) * 86_400_000_000_000 * 37 - 8_000_000_000_000_000_000 }
        for time in times {
            let text = ValueConversion.bytes(.time(time), .time(.rfc3339)) ?? []
            #expect(ValueConversion.value(text, .time(.rfc3339)) == .time(time))
        }
    }

    @Test func unixTimesAreSentAsWholeUnits() {
        #expect(
            ValueConversion.bytes(.time(1_999_999_999), .time(.unixSeconds)) == bytes("1"))
        #expect(ValueConversion.bytes(.time(-1), .time(.unixSeconds)) == bytes("-1"))
        #expect(
            ValueConversion.bytes(.time(1_999_999_999), .time(.unixMilliseconds)) == bytes("1999"))
    }

    @Test func boolsAreParsedInAnyCaseAndSentInTheFirstSpelling() {
        let type = ArgumentType.bool(BoolSpelling(yes: ["yes", "1"], no: ["no", "0", ""]))
        for text in ["yes", "YES", "1"] { #expect(Self.value(text, type) == .bool(true)) }
        for text in ["no", "No", "0", ""] { #expect(Self.value(text, type) == .bool(false)) }
        for text in ["y", "yess", "2", "true"] { #expect(Self.value(text, type) == nil) }
        #expect(ValueConversion.bytes(.bool(true), type) == bytes("yes"))
        #expect(ValueConversion.bytes(.bool(false), type) == bytes("no"))
        for text in ["2", "", "01", "/", ":"] {
            #expect(
                decode("R0004|1|t|s|2|\(text)", Dialects.livechat).issues == [.invalidArgument(4)])
        }
    }

    @Test func choicesMatchExactly() {
        let type = ArgumentType.choice(["on", "off", "über"])
        #expect(Self.value("off", type) == .choice(1))
        #expect(Self.value("über", type) == .choice(2))
        for text in ["", "OFF", "of", "offf"] { #expect(Self.value(text, type) == nil) }
        #expect(ValueConversion.bytes(.choice(0), type) == bytes("on"))
        #expect(ValueConversion.bytes(.choice(3), type) == nil)
    }

    @Test func listsHaveElementsOfOneType() {
        let type = ArgumentType.list(of: .int, separator: ASCII.semicolon)
        #expect(Self.value("1;2;3", type) == .list([.int(1), .int(2), .int(3)]))
        #expect(Self.value("", type) == .list([]))
        for text in ["1;", ";1", "1;x", "1;;2"] { #expect(Self.value(text, type) == nil) }
        let texts = ArgumentType.list(of: .text, separator: ASCII.semicolon)
        #expect(Self.value("a;;b", texts) == .list([.text("a"), .text(""), .text("b")]))
        let nested = ArgumentType.list(of: type, separator: ASCII.pipe)
        #expect(
            Self.value("1;2||3", nested)
                == .list([.list([.int(1), .int(2)]), .list([]), .list([.int(3)])]))
    }

    @Test func listsThatDoNotRoundTripAreRefused() {
        let type = ArgumentType.list(of: .text, separator: ASCII.semicolon)
        #expect(ValueConversion.bytes(.list([.text("a;b")]), type) == nil)
        #expect(ValueConversion.bytes(.list([.text("")]), type) == nil)
        #expect(ValueConversion.bytes(.list([.text(""), .text("")]), type) == bytes(";"))
        #expect(ValueConversion.bytes(.list([]), type) == [])
        #expect(ValueConversion.bytes(.list([.int(1)]), type) == nil)
    }

    /// Each value is decoded to the same value after encoding.
    @Test func valuesOfEveryTypeRoundTrip() {
        let values: [(ArgumentValue, ArgumentType)] = [
            (.int(.min), .int), (.int(.max), .int), (.int(0), .int),
            (.decimal(Decimal64(unscaled: .min, scale: 18)), .decimal),
            (.decimal(Decimal64(unscaled: .max, scale: 0)), .decimal),
            (.decimal(Decimal64(unscaled: -5, scale: 3)), .decimal),
            (.text([0, 255]), .text), (.bytes([]), .bytes), (.json(bytes("{}")), .json),
            (.xml(bytes("<a/>")), .xml),
        ]
        for (value, type) in values {
            #expect(
                ValueConversion.bytes(value, type).flatMap { ValueConversion.value($0, type) }
                    == value)
        }
        #expect(ValueConversion.bytes(.decimal(Decimal64(unscaled: 1, scale: 19)), .decimal) == nil)
        #expect(ValueConversion.bytes(.decimal(Decimal64(unscaled: 1, scale: -1)), .decimal) == nil)
    }

    @Test func valueOfADifferentTypeIsNotEncoded() {
        #expect(ValueConversion.bytes(.text("1"), .int) == nil)
        #expect(ValueConversion.bytes(.int(1), .text) == nil)
        #expect(ValueConversion.bytes(.absent, .text) == nil)
        #expect(ValueConversion.bytes(.int(5), .decimal) == bytes("5"))
        #expect(ValueConversion.bytes(.text("x"), .json) == bytes("x"))
    }
}

/// The fast path for short numbers gives the same result as the general one.
struct ShortIntegerTests {
    @Test func fastAndGeneralIntegerParsersAgree() {
        let letters = Array("0123456789-+ /:x".utf8)
        for seed in UInt64(0)..<4_000 {
            var generator = SeededRandom(seed: seed)
            let count = Int.random(in: 0...11, using: &generator)
            let digitsOnly = seed % 2 == 0
            let text = (0..<count).map { _ in
                letters[Int.random(in: 0..<(digitsOnly ? 10 : 16), using: &generator)]
            }
            // Before the end of the buffer, at its end, and followed by a digit.
            for rest in ["", "|12345678", "99999999999"] {
                let buffer = text + bytes(rest)
                let read = ValueConversion.scalar(buffer.span, 0..<count, .int)?.number
                let short = unsafe buffer.withUnsafeBufferPointer {
                    unsafe shortInteger($0, 0, count)
                }
                #expect(short == nil || short == read)
                let isShort = count > 0 && count <= 8 && !text.contains(ASCII.plus)
                if isShort, rest.utf8.count > 8 { #expect(short == read) }
            }
        }
    }

    @Test(arguments: [Int64(0), 1, 9, 10, 99_999_999, -1, -99_999_999, 12_345_678, 100_000_000])
    func numbersAtTheLimitsAreParsed(number: Int64) {
        #expect(
            decode("R0004|\(number)|t|s|\(number)|0", Dialects.livechat).values
                == [.int(number), .text("t"), .text("s"), .int(number), .bool(false)])
    }
}
