/// Decodes UTF-8 and calls `body` for each scalar.
///
/// - Parameter body: receives the byte range and the scalar, or nil instead of the scalar for a
///   byte that is not valid UTF-8.
public func forEachScalar(
    in bytes: [UInt8], _ body: (Range<Int>, Unicode.Scalar?) -> Void
) {
    var input = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var offset = 0
    while true {
        switch parser.parseScalar(from: &input) {
        case .emptyInput: return
        case .valid(let encoded):
            let next = offset + encoded.count
            body(offset..<next, Unicode.UTF8.decode(encoded))
            offset = next
        case .error(let length):
            for _ in 0..<length where offset < bytes.count {
                body(offset..<(offset + 1), nil)
                offset += 1
            }
        }
    }
}
