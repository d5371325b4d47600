import UnderstudyHTTP

/// An incremental reader of one response, as tolerant as common clients (RFC 9112).
///
/// A server that is recorded is used by such clients already, so what they accept is recorded.
struct ResponseReader: Sendable {
  enum Step: Sendable {
    case head(Head)
    case bytes([UInt8])
    /// The end of the body, with the trailers.
    case end(HTTP.Fields)
  }

  struct Head: Sendable {
    let status: Int
    /// The reason phrase; `nil` if the status line has none.
    let reason: String?
    let fields: HTTP.Fields
  }

  private enum Place: Sendable {
    case head
    case sized(Int)
    case untilEnd
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailers(HTTP.Fields)
    case ended
  }

  private static let headLimit = 256 << 10
  /// The maximum number of interim responses before the final one.
  static let interimLimit = 100
  /// The beginning of every status line (RFC 9112 §4).
  private static let beginning = Array("HTTP/1.".utf8)

  /// Whether the server has closed its side.
  var isEnded = false
  private let toHead: Bool
  private var bytes: [UInt8] = []
  private var start = 0
  private var place = Place.head
  /// The lines of the head that have arrived.
  private var lines: [ArraySlice<UInt8>] = []
  private var headCount = 0
  private var interimCount = 0

  /// - Parameter toHead: Whether the request has the method HEAD, whose response has no body.
  init(toHead: Bool) {
    self.toHead = toHead
  }

  mutating func append(_ more: [UInt8]) {
    bytes.removeFirst(start)
    start = 0
    bytes += more
  }

  /// Returns the next step; `nil` until more bytes arrive.
  mutating func next() throws(TransportError) -> Step? {
    while true {
      switch place {
      case .head:
        if lines.isEmpty { try checkBeginning() }
        guard let line = try line(of: "the head of the response") else { return nil }
        guard line.isEmpty else {
          lines.append(ArraySlice(Array(line)))
          continue
        }
        // An empty line before the status line is ignored, as by other clients.
        guard let first = lines.first else { continue }
        let head = try Self.head(first, lines.dropFirst())
        lines = []
        headCount = 0
        // Interim responses precede the final one (RFC 9110 §15.2).
        guard head.status >= 200 || head.status == 101 else {
          interimCount += 1
          guard interimCount <= Self.interimLimit else { throw Self.tooManyInterimResponses }
          continue
        }
        place = try framing(of: head)
        return .head(head)
      case .sized(0): return end([:])
      case .sized(let left):
        guard let bytes = take(upTo: left) else { return try missing() }
        place = .sized(left - bytes.count)
        return .bytes(bytes)
      case .untilEnd:
        if let bytes = take(upTo: .max) { return .bytes(bytes) }
        return isEnded ? end([:]) : nil
      case .chunkSize:
        guard let line = try line(of: "the body") else { return nil }
        let digits = line.prefix { $0.hexadecimalValue != nil }
        guard !digits.isEmpty, let size = Int(digits.text, radix: 16) else {
          throw Self.unreadable("The size of a chunk is \(line.prefix(40).text.debugDescription).")
        }
        place = size == 0 ? .trailers([:]) : .chunk(size)
      case .chunk(let left):
        guard let bytes = take(upTo: left) else { return try missing() }
        place = bytes.count == left ? .chunkEnd : .chunk(left - bytes.count)
        return .bytes(bytes)
      case .chunkEnd:
        guard let line = try line(of: "the body") else { return nil }
        guard line.isEmpty else { throw Self.unreadable("A chunk is longer than its size.") }
        place = .chunkSize
      case .trailers(var fields):
        // Some servers close the connection in place of the last empty line.
        if isEnded, start == bytes.count { return end(fields) }
        guard let line = try line(of: "the trailers") else { return nil }
        if line.isEmpty { return end(fields) }
        try fields.append(line)
        place = .trailers(fields)
      case .ended: return .end([:])
      }
    }
  }

  // MARK: Framing

  private func framing(of head: Head) throws(TransportError) -> Place {
    if toHead || head.status < 200 || head.status == 204 || head.status == 304 { return .sized(0) }
    if let coding = head.fields["Transfer-Encoding"]?.lowercased(), coding != "identity" {
      guard coding == "chunked" else {
        throw Self.unreadable("The transfer coding \(coding.debugDescription) is not supported.")
      }
      return .chunkSize
    }
    let lengths = Set(
      head.fields.values(of: "Content-Length").flatMap { $0.split(separator: ",") }
        .map { ArraySlice($0.utf8).trimmingBlanks.text })
    guard lengths.count <= 1 else {
      throw Self.unreadable("The response has several lengths: \(lengths.sorted().joined(separator: ", ")).")
    }
    guard let text = lengths.first else { return .untilEnd }
    guard let length = ResponseHead.length(text) else {
      throw Self.unreadable("The length of the response is \(text.debugDescription).")
    }
    return .sized(length)
  }

  private mutating func end(_ trailers: HTTP.Fields) -> Step {
    place = .ended
    return .end(trailers)
  }

  private func missing() throws(TransportError) -> Step? {
    guard isEnded else { return nil }
    throw TransportError(.connectionLost, "The connection ended before the body was complete.")
  }

  // MARK: Bytes

  private mutating func take(upTo count: Int) -> [UInt8]? {
    guard start < bytes.count else { return nil }
    let end = start + min(count, bytes.count - start)
    defer { start = end }
    return Array(bytes[start..<end])
  }

  /// The next line without its line break, which may be LF alone (RFC 9112 §2.2).
  private mutating func line(of part: String) throws(TransportError) -> ArraySlice<UInt8>? {
    guard let end = bytes[start...].firstIndex(of: .lineFeed) else {
      guard !isEnded else {
        throw TransportError(.connectionLost, "The connection ended before \(part) was complete.")
      }
      guard bytes.count - start + headCount <= Self.headLimit else { throw Self.tooLong(part) }
      return nil
    }
    var line = bytes[start..<end]
    headCount += line.count + 1
    guard headCount <= Self.headLimit else { throw Self.tooLong(part) }
    if case .chunkSize = place { headCount = 0 }
    if line.last == .carriageReturn { line.removeLast() }
    start = end + 1
    return line
  }

  // MARK: Head

  /// Checks the first bytes of a status line before it is complete, because the end of a banner or a page that is not
  /// HTTP may never arrive.
  private func checkBeginning() throws(TransportError) {
    // Empty lines before the status line are ignored.
    let rest = bytes[start...].drop { $0 == .carriageReturn || $0 == .lineFeed }
    guard zip(rest, Self.beginning).allSatisfy(==) else {
      let line = rest.prefix { $0 != .carriageReturn && $0 != .lineFeed }
      throw Self.unreadable(
        "It begins with \(line.prefix(80).text.debugDescription), not with a status line.")
    }
  }

  /// Parses `HTTP/1.x SP 3DIGIT [ SP reason-phrase ]` (RFC 9112 §4), and the field lines.
  private static func head(
    _ status: ArraySlice<UInt8>, _ lines: ArraySlice<ArraySlice<UInt8>>
  ) throws(TransportError) -> Head {
    let words = status.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[0].count == 8, words[1].count == 3,
      let number = ResponseHead.length(words[1].text), number >= 100
    else {
      throw unreadable("The status line is \(status.prefix(80).text.debugDescription).")
    }
    var fields = HTTP.Fields()
    for line in lines { try fields.append(line) }
    return Head(
      status: number, reason: words.count == 3 && !words[2].isEmpty ? words[2].text : nil, fields: fields)
  }

  fileprivate static func unreadable(_ message: String) -> TransportError {
    TransportError(.unreadableResponse, "The response is invalid. " + message)
  }

  static let tooManyInterimResponses = unreadable(
    "It has more than \(interimLimit) interim responses (1xx), and no final one (RFC 9110 §15.2).")

  private static func tooLong(_ part: String) -> TransportError {
    unreadable("A line or \(part) is longer than \(headLimit) bytes.")
  }
}

extension HTTP.Fields {
  /// Appends a field line; one that begins with white space continues the previous one (RFC 9112 §5.2).
  fileprivate mutating func append(_ line: ArraySlice<UInt8>) throws(TransportError) {
    if let first = line.first, first.isBlank, let last {
      let bytes = last.bytes + [.space] + line.trimmingBlanks
      let joined = Field(name: last.name, bytes: bytes[...])
      self = HTTP.Fields(dropLast() + [joined])
      return
    }
    guard let colon = line.firstIndex(of: .colon), colon > line.startIndex,
      line[..<colon].trimmingBlanks.allSatisfy(\.isToken)
    else {
      throw ResponseReader.unreadable("A field is \(line.prefix(80).text.debugDescription).")
    }
    append(
      Field(name: line[..<colon].trimmingBlanks.text, bytes: line[(colon + 1)...].trimmingBlanks))
  }
}
