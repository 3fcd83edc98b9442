import Testing

@testable import Load

/// Reading the server's own metrics.
struct ServerMetricsTests {
    private static let page = #"""
        # HELP http_requests_total Requests, with a brace } and a "quote".
        # TYPE http_requests_total counter
        http_requests_total{method="post",path="/a}b\" 9"} 1027 1395066363000
        http_requests_total{method="get",path="/"} 3
        # TYPE clients gauge
        clients 17
        clients_idle -2.5e1
        # TYPE latency_seconds histogram
        latency_seconds_bucket{le="0.1"} 5
        latency_seconds_bucket{le="+Inf"} 9
        latency_seconds_sum 1.5
        latency_seconds_count 9
        # TYPE lines counter
        lines_total 12
        broken{a="b 7
        nothing NaN
        endless +Inf
        words one two
        {} 5

        """#

    @Test func valuesAreAddedUpAndCountersRecognised() {
        let metrics = PrometheusPage(Array(Self.page.utf8)).metrics
        let expected: [String: PrometheusPage.Metric] = [
            "http_requests_total": .init(sum: 1030, isCounter: true),
            "clients": .init(sum: 17, isCounter: false),
            "clients_idle": .init(sum: -25, isCounter: false),
            "latency_seconds_bucket": .init(sum: 14, isCounter: true),
            "latency_seconds_sum": .init(sum: 1.5, isCounter: true),
            "latency_seconds_count": .init(sum: 9, isCounter: true),
            "lines_total": .init(sum: 12, isCounter: true),
        ]
        #expect(metrics == expected)
        let one = PrometheusPage(Array(Self.page.utf8), only: ["clients", "absent"]).metrics
        #expect(one.keys.sorted() == ["clients"])
    }

    @Test func anyBytesCanBeRead() {
        let bytes = Array(Self.page.utf8)
        for count in bytes.indices {
            #expect(PrometheusPage(Array(bytes.prefix(count))).metrics.count <= 7)
        }
        #expect(PrometheusPage([UInt8](0...255)).metrics.isEmpty)
    }

    @Test func urlsAreParsed() throws {
        let source = try MetricsSource(parsing: "http://[::1]:9100/metrics?a=b#one,two")
        #expect(source.host == "::1")
        #expect(source.port == 9100)
        #expect(source.path == "/metrics?a=b")
        #expect(source.names == ["one", "two"])
        #expect(source.url == "http://[::1]:9100/metrics?a=b")
        let short = try MetricsSource(parsing: "http://host#x")
        #expect(short.port == 80)
        #expect(short.path == "/")
    }

    @Test(arguments: [
        ("https://host/metrics#x", "only http://"), ("http://host:0/#x", "the port"),
        ("http://host:x/#x", "the port"), ("http://:80/#x", "no host"),
        ("http://me:secret@host/#x", "a user name"), ("http://ho st/#x", "a space"),
        ("http://h/#1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21", "at most 20"),
    ])
    func invalidURLsAreExplained(_ text: String, _ reason: String) {
        let error = #expect(throws: MetricsSource.Malformed.self) {
            try MetricsSource(parsing: text)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}
