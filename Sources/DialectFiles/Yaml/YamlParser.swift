import CYaml

/// Parser that splits YAML text into events. No other type uses libyaml.
@safe struct YamlParser: ~Copyable {
    // libyaml keeps pointers to its state and to the text.
    private let state = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// Starts parsing UTF-8.
    init(_ bytes: [UInt8]) throws(YamlError) {
        unsafe text = UnsafeMutableBufferPointer.allocate(capacity: max(bytes.count, 1))
        _ = unsafe text.initialize(from: bytes)
        guard unsafe yaml_parser_initialize(state) == 1 else {
            unsafe state.initialize(to: yaml_parser_t())
            throw .memory
        }
        unsafe yaml_parser_set_encoding(state, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(state, text.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(state)
        unsafe state.deallocate()
        unsafe text.deallocate()
    }

    /// Parses and returns the next event. The last event is `streamEnd`.
    mutating func next() throws(YamlError) -> YamlEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(state, &event) == 1 else {
            throw unsafe YamlError(state.pointee)
        }
        defer { unsafe yaml_event_delete(&event) }
        return YamlEvent(kind: unsafe Self.kind(event), mark: unsafe YamlMark(event.start_mark))
    }

    private static func kind(_ event: yaml_event_t) -> YamlEvent.Kind {
        switch unsafe event.type {
        case YAML_ALIAS_EVENT:
            unsafe .alias(string(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            unsafe scalar(event.data.scalar)
        case YAML_SEQUENCE_START_EVENT:
            .listStart(anchor: unsafe string(event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT:
            .mapStart(anchor: unsafe string(event.data.mapping_start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: .end
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: .streamEnd
        case YAML_DOCUMENT_START_EVENT: .documentStart
        default: .other
        }
    }

    private static func scalar(
        _ scalar: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar
    ) -> YamlEvent.Kind {
        let text = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let style: YamlValue.ScalarStyle =
            switch unsafe scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
            case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
            default: .plain
            }
        return .scalar(
            unsafe String(decoding: text, as: UTF8.self), style,
            anchor: unsafe string(scalar.anchor))
    }

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }
}

/// An event in YAML text, such as a scalar or the start of a list, with its position.
struct YamlEvent {
    /// Type of a YAML event, with its data.
    enum Kind {
        case scalar(String, YamlValue.ScalarStyle, anchor: String?)
        case listStart(anchor: String?)
        case mapStart(anchor: String?)
        /// The end of a list or map.
        case end
        case alias(String)
        case documentStart
        case streamEnd
        /// The start of the stream or the end of a document.
        case other
    }

    var kind: Kind
    var mark: YamlMark
}

/// A position as reported by libyaml. Lines and columns start at 1; columns are counted in Unicode
/// scalars.
struct YamlMark {
    var line: Int
    var column: Int

    init(_ mark: yaml_mark_t) {
        line = Int(clamping: mark.line) + 1
        column = Int(clamping: mark.column) + 1
    }
}

/// An error reported by libyaml.
enum YamlError: Error {
    /// Invalid syntax. The context is the construct that was being parsed.
    case syntax(String, YamlMark, context: (text: String, mark: YamlMark)?)
    /// The character at this byte offset is not allowed in YAML.
    case character(String, offset: Int)
    case memory

    init(_ parser: yaml_parser_t) {
        let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "unknown error"
        switch unsafe parser.error {
        case YAML_MEMORY_ERROR: self = .memory
        case YAML_READER_ERROR:
            self = .character(problem, offset: unsafe Int(clamping: parser.problem_offset))
        default:
            let context = unsafe parser.context.map { unsafe String(cString: $0) }
            self = .syntax(
                problem, unsafe YamlMark(parser.problem_mark),
                context: context.map { ($0, unsafe YamlMark(parser.context_mark)) })
        }
    }
}
