import UnderstudyHTTP

/// A field line of a head (RFC 9112 §5) or of a trailer section.
struct FieldLine: Sendable {
  let name: ArraySlice<UInt8>
  let value: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let first = line.first, !first.isBlank else {
      throw .malformed("A field continues on a second line, which HTTP/1.1 does not allow (RFC 9112 §5.2).")
    }
    guard let colon = line.firstIndex(of: .colon), colon > line.startIndex else {
      throw .malformed("A field line has no name and colon (RFC 9112 §5).")
    }
    name = line[..<colon]
    guard name.allSatisfy(\.isToken) else {
      throw .malformed(
        "The name of a field has an invalid character, or a space before the colon "
          + "(RFC 9112 §5.1).")
    }
    value = line[(colon + 1)...].trimmingBlanks
    guard value.allSatisfy(\.isFieldContent) else {
      throw .malformed(
        "The value of \(name.text) contains a control character (RFC 9110 §5.5).")
    }
  }
}

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
    guard areExtensions(line[position...]) else {
      throw .malformed("The extension of a chunk is invalid (RFC 9112 §7.1.1).")
    }
    return size
  }

  /// Whether the bytes are `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )`.
  private static func areExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard rest.skip(.semicolon), rest.skipToken() else { return false }
      if rest.skip(UInt8(ascii: "=")) {
        guard rest.first == .quote ? rest.skipQuotedString() : rest.skipToken() else { return false }
      }
    }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// Skips a delimiter and the white space around it; skips nothing if the delimiter is not next.
  ///
  /// - Returns: Whether it was skipped.
  fileprivate mutating func skip(_ delimiter: UInt8) -> Bool {
    let next = drop(while: \.isBlank)
    guard next.first == delimiter else { return false }
    self = next.dropFirst().drop(while: \.isBlank)
    return true
  }

  fileprivate mutating func skipToken() -> Bool {
    guard first?.isToken == true else { return false }
    self = drop(while: \.isToken)
    return true
  }

  /// Skips a quoted string (RFC 9110 §5.6.4).
  fileprivate mutating func skipQuotedString() -> Bool {
    removeFirst()
    while let byte = popFirst() {
      switch byte {
      case .quote: return true
      case UInt8(ascii: "\\"):
        guard popFirst()?.isFieldContent == true else { return false }
      default:
        guard byte.isFieldContent else { return false }
      }
    }
    return false
  }
}

/// The status line of a response (RFC 9112 §4).
enum StatusLine {
  /// - Parameter phrase: The reason phrase; `nil` for that of the status, and also if it is invalid.
  static func write(_ status: Int, _ phrase: String? = nil, to output: inout [UInt8]) {
    if let phrase, phrase.utf8.allSatisfy(\.isFieldContent) {
      output.append(contentsOf: "HTTP/1.1 \(status) \(phrase)\r\n".utf8)
    } else if status == 200 {
      output.append(contentsOf: "HTTP/1.1 200 OK\r\n".utf8)
    } else {
      output.append(contentsOf: "HTTP/1.1 \(status) \(HTTP.reasonPhrase(of: status))\r\n".utf8)
    }
  }
}
