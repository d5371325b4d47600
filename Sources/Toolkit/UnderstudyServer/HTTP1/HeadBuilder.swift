import UnderstudyHTTP

/// The fields of a head that is being read, and their meaning for the exchange.
struct HeadBuilder: Sendable {
  private(set) var fields: [HTTP.Fields.Field] = []
  private var host: ArraySlice<UInt8>?
  private var length: Int?
  /// The transfer codings of the body, in order; `nil` without `Transfer-Encoding`.
  private var codings: [ArraySlice<UInt8>]?
  private var closes = false
  private var keepsAlive = false
  private var expectsContinue = false

  mutating func add(_ field: FieldLine) throws(RequestRefusal) {
    try note(field)
    fields.append(HTTP.Fields.Field(name: field.name.text, bytes: field.value))
  }

  /// Stores a field that concerns the exchange itself.
  private mutating func note(_ field: FieldLine) throws(RequestRefusal) {
    // Switches on the length first, because few fields concern the exchange.
    switch field.name.count {
    case 4 where field.name.isWord("host"):
      guard host == nil else { throw .malformed("The request has two Host fields (RFC 9112 §3.2).") }
      // Copied, because the builder may outlive the buffer of the slice; see `FieldMemory`.
      host = ArraySlice(Array(field.value))
    case 6 where field.name.isWord("expect"):
      // No standard defines other expectations (RFC 9110 §10.1.1).
      guard field.value.isWord("100-continue") else {
        throw RequestRefusal(417, "The server cannot meet the expectation \"\(field.value.text)\".")
      }
      expectsContinue = true
    case 10 where field.name.isWord("connection"):
      for option in field.value.listElements {
        if option.isWord("close") { closes = true }
        if option.isWord("keep-alive") { keepsAlive = true }
      }
    case 14 where field.name.isWord("content-length"):
      try noteLength(field.value)
    case 17 where field.name.isWord("transfer-encoding"):
      codings = (codings ?? []) + field.value.listElements.map { ArraySlice(Array($0)) }
    default:
      break
    }
  }

  private mutating func noteLength(_ value: ArraySlice<UInt8>) throws(RequestRefusal) {
    var number = 0
    for digit in value {
      guard digit.isDigit else {
        throw .malformed("Content-Length is not a single number (RFC 9112 §6.3).")
      }
      let (product, overflows) = number.multipliedReportingOverflow(by: 10)
      // A longer number exceeds every limit.
      let digit = Int(digit - UInt8(ascii: "0"))
      number = overflows || product > .max - digit ? .max : product + digit
    }
    guard !value.isEmpty else { throw .malformed("Content-Length is empty (RFC 9112 §6.3).") }
    guard length == nil || length == number else {
      throw .malformed("The request has two different lengths (RFC 9112 §6.3).")
    }
    length = number
  }

  func head(_ line: RequestLine, _ targets: inout TargetReader) throws(RequestRefusal) -> RequestHead {
    if host == nil, line.minorVersion > 0 {
      throw .malformed("An HTTP/1.1 request requires a Host field (RFC 9112 §3.2).")
    }
    let url = try targets.url(line.target, method: line.method, host: host)
    return RequestHead(
      method: line.method, url: url, minorVersion: line.minorVersion, fields: HTTP.Fields(fields),
      framing: try framing(line), keepsAlive: !closes && (line.minorVersion > 0 || keepsAlive),
      // HTTP/1.0 does not define `100-continue` (RFC 9110 §10.1.1).
      expectsContinue: expectsContinue && line.minorVersion > 0)
  }

  /// The framing of the body: RFC 9112 §6.3, as far as it applies to requests.
  private func framing(_ line: RequestLine) throws(RequestRefusal) -> RequestHead.Framing {
    guard let codings else { return length.map { .sized($0) } ?? .none }
    guard length == nil else {
      throw .malformed("The request has a Content-Length and a Transfer-Encoding (RFC 9112 §6.3).")
    }
    guard line.minorVersion > 0 else {
      throw .malformed("HTTP/1.0 does not support Transfer-Encoding (RFC 9112 §6.1).")
    }
    guard codings.filter({ $0.isWord("chunked") }).count <= 1,
      codings.dropLast().allSatisfy({ !$0.isWord("chunked") })
    else {
      throw .malformed("The transfer coding chunked must be applied once, and last (RFC 9112 §6.1).")
    }
    guard codings.count == 1, codings.allSatisfy({ $0.isWord("chunked") }) else {
      throw RequestRefusal(501, "The only supported transfer coding is chunked.")
    }
    return .chunked
  }
}
