import UnderstudyTransport

/// The algorithm of WHATWG HTML §9.2.6 step by step, on the complete text: slow, and easy to compare with the standard.
struct ReferenceEventParser {
  private var data = String.UnicodeScalarView()
  private var type = ""
  private var idBuffer = ""
  private var retry: Duration?
  private var events: [HTTP.ServerSentEvent] = []

  static func events(in bytes: [UInt8]) -> [HTTP.ServerSentEvent] {
    var parser = ReferenceEventParser()
    // "Streams must be decoded using the UTF-8 decode algorithm", which drops one byte order mark.
    var text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    if text.first == "\u{FEFF}" { text.removeFirst() }
    var line: [Unicode.Scalar] = []
    var index = 0
    while index < text.count {
      defer { index += 1 }
      guard text[index] == "\r" || text[index] == "\n" else {
        line.append(text[index])
        continue
      }
      if text[index] == "\r", index + 1 < text.count, text[index + 1] == "\n" { index += 1 }
      parser.process(line)
      line = []
    }
    return parser.events
  }

  private mutating func process(_ line: [Unicode.Scalar]) {
    if line.isEmpty { return dispatch() }
    if line[0] == ":" { return }
    guard let colon = line.firstIndex(of: ":") else { return process(field: string(line[...]), []) }
    var value = line[(colon + 1)...]
    if value.first == " " { value.removeFirst() }
    process(field: string(line[..<colon]), value)
  }

  private mutating func process(field: String, _ value: ArraySlice<Unicode.Scalar>) {
    switch field {
    case "event": type = string(value)
    case "data":
      data.append(contentsOf: value)
      data.append("\n")
    case "id": if !value.contains("\0") { idBuffer = string(value) }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
        retry = .milliseconds(Int(string(value)) ?? .max)
      }
    default: break
    }
  }

  private mutating func dispatch() {
    defer {
      data = String.UnicodeScalarView()
      type = ""
    }
    if data.isEmpty { return }
    data.removeLast()
    events.append(
      HTTP.ServerSentEvent(
        type: type.isEmpty ? "message" : type, data: String(data), id: idBuffer, retry: retry))
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
