/// The fields of the current event, and those that persist between events (WHATWG HTML §9.2.6).
///
/// Line ends, colons and spaces are ASCII, which the bytes of other UTF-8 characters do not contain. Decoding each
/// value separately is therefore equivalent to decoding the whole stream; a truncated character is replaced either way.
struct EventBlock: Sendable {
  /// The identifier of the last completed event, with or without data.
  private(set) var lastEventID = ""
  private(set) var retry: Duration?
  private var type = ""
  private var id = ""
  /// The values of the `data` fields, joined; `nil` before the first.
  private var data: String?

  /// The size of the data in bytes.
  var dataCount: Int { data?.utf8.count ?? 0 }

  /// Ends the event, and returns it unless it has no data.
  mutating func end() -> HTTP.ServerSentEvent? {
    lastEventID = id
    defer {
      data = nil
      type = ""
    }
    // "If the data buffer is an empty string": each field appends a line feed to it, so a field without a value is
    // sufficient.
    guard let data else { return nil }
    return HTTP.ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id, retry: retry)
  }

  /// Parses a line that is not empty.
  @inline(__always) mutating func take(_ line: UnsafeRawBufferPointer) {
    let colon = line.position(of: UInt8(ascii: ":"))
    var start = min(colon + 1, line.count)
    if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
    let value = UnsafeRawBufferPointer(rebasing: line[start...])
    let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
    switch name.count {
    case 4 where name.elementsEqual("data".utf8):
      let text = String(decoding: value, as: UTF8.self)
      if data == nil {
        data = text
      } else {
        data?.append("\n")
        data?.append(text)
      }
    case 2 where name.elementsEqual("id".utf8):
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case 5 where name.elementsEqual("event".utf8):
      type = String(decoding: value, as: UTF8.self)
    case 5 where name.elementsEqual("retry".utf8):
      if let milliseconds = Self.number(value) { retry = .milliseconds(milliseconds) }
    default:
      // A comment, which has an empty name, or an unknown field.
      break
    }
  }

  /// A number of only ASCII digits, clamped to the largest `Int`.
  private static func number(_ digits: UnsafeRawBufferPointer) -> Int? {
    if digits.isEmpty { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tenfold, overflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      number = overflows || overflowsToo ? .max : sum
    }
    return number
  }
}
