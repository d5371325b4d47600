/// A parser for the line before a chunk (RFC 9112 §7.1).
enum ChunkSize {
  /// Parses the chunk size; extensions are validated and ignored.
  static func read(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
    var size = 0
    var position = line.startIndex
    while position < line.endIndex, let digit = line[position].hexadecimalValue {
      let (product, overflows) = size.multipliedReportingOverflow(by: 16)
      guard !overflows, product <= .max - Int(digit) else {
        throw RequestRefusal(413, "The size of a chunk exceeds the supported range.")
      }
      size = product + Int(digit)
      position += 1
    }
    guard position > line.startIndex else {
      throw .malformed("The size of a chunk is not a hexadecimal number (RFC 9112 §7.1).")
    }
    let rest = line[position...]
    guard rest.isEmpty || rest.trimmingBlanks.first == .semicolon, rest.allSatisfy(\.isFieldContent) else {
      throw .malformed("The extension of a chunk is invalid (RFC 9112 §7.1.1).")
    }
    return size
  }
}
