import CReference
import LineProtocol
import Measuring

/// The workloads for one corpus.
func workloads(of corpus: Corpus) -> [Workload] {
    [
        cFraming(corpus), cSplitting(corpus), framing(corpus), splitting(corpus),
        decoding(corpus),
    ]
}

private func cFraming(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    return Workload(name: "C: memchr for the terminator", reference: "") { passes in
        var line = c_reference_line()
        var lines = 0
        for _ in 0..<passes { lines += c_reference_frame(bytes, bytes.count, &line) }
        return lines
    }
}

private func cSplitting(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    let isIRC = corpus.name == "irc"
    let isJSON = corpus.dialect.syntax.fromServer.json != nil
    let separator = corpus.dialect.syntax.fromServer.separators[0]
    return Workload(name: scanner(corpus), reference: "") { passes in
        var line = c_reference_line()
        var lines = 0
        for _ in 0..<passes {
            lines +=
                isJSON
                ? c_reference_split_json(bytes, bytes.count, &line)
                : isIRC
                    ? c_reference_split_irc(bytes, bytes.count, &line)
                    : c_reference_split(bytes, bytes.count, separator, &line)
        }
        return lines
    }
}

/// Name of the workload in C that finds the fields of lines.
private func scanner(_ corpus: Corpus) -> String {
    corpus.dialect.syntax.fromServer.json == nil
        ? "C: and for each separator" : "C: and for each token"
}

private func framing(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    let dialect = corpus.dialect
    return Workload(name: "framing", reference: "C: memchr for the terminator") { passes in
        var framer = LineFramer(dialect, direction: .fromServer)
        var lines = 0
        for _ in 0..<passes {
            framer.append(bytes)
            while framer.next() != nil { lines += 1 }
        }
        return lines
    }
}

private func splitting(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    let dialect = corpus.dialect
    let splitter = LineSplitter(dialect, direction: .fromServer)
    return Workload(name: "framing, splitting", reference: scanner(corpus)) { passes in
        var framer = LineFramer(dialect, direction: .fromServer)
        var split = SplitLine()
        var lines = 0
        for _ in 0..<passes {
            framer.append(bytes)
            while let frame = framer.next() {
                splitter.split(framer.buffer.span, frame.line, into: &split)
                lines += 1
            }
        }
        return lines
    }
}

func decoding(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    let dialect = corpus.dialect
    let decoder = MessageDecoder(dialect)
    return Workload(
        name: "framing, splitting, typed decoding", reference: scanner(corpus)
    ) { passes in
        var framer = LineFramer(dialect, direction: .fromServer)
        var message = Message()
        var lines = 0
        for _ in 0..<passes {
            framer.append(bytes)
            while let frame = framer.next() {
                decoder.decode(framer.buffer.span, frame, from: .fromServer, into: &message)
                // Only lines that decode without an issue are counted.
                if message.issues.isEmpty { lines += 1 }
            }
        }
        return lines
    }
}
