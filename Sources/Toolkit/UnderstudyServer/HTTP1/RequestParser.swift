package import Foundation
import UnderstudyHTTP

/// An incremental parser for the requests of one connection (RFC 9112).
///
/// It is a value without side effects: the same bytes produce the same steps, however they are split. Where a recipient
/// has a choice, it refuses the request, because input that two parsers interpret differently allows request smuggling.
package struct RequestParser: Sendable {
  /// A parsing step.
  package enum Step: Sendable {
    /// A head.
    ///
    /// Its body follows as the next step, also when the request has no body.
    case head(RequestHead)
    /// The body, which completes the request; `nil` if the request has no body.
    case body(Data?)
  }

  private enum Place: Sendable {
    case beforeRequest
    case fields(RequestLine, HeadBuilder)
    case body(RequestHead.Framing)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers
    case refused(RequestRefusal)
  }

  package let limits: ServerLimits
  private var place = Place.beforeRequest
  private var targets: TargetReader
  private var fieldMemory = FieldMemory()
  private var input = LineBuffer()
  /// The number of bytes of the head or of the trailer section that were read.
  private var headCount = 0
  private var emptyLines = 0
  private var body = Data()
  /// The number of bytes of chunk size lines that were read, without the sizes.
  private var extensionCount = 0

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - limits: The limits for requests.
  ///   - authority: The server's authority, for requests without a host.
  package init(limits: ServerLimits, authority: String) {
    self.init(limits: limits, .server(authority: authority))
  }

  init(limits: ServerLimits, _ place: RequestPlace) {
    self.limits = limits
    targets = TargetReader(place)
  }

  /// Appends received bytes.
  package mutating func append(_ bytes: [UInt8]) {
    input.append(bytes)
  }

  /// Whether no byte of the next request has been received.
  var isBetweenRequests: Bool {
    if case .beforeRequest = place { input.isEmpty } else { false }
  }

  /// Whether the parser is in the middle of a body.
  var isInBody: Bool {
    switch place {
    case .beforeRequest, .fields, .refused: false
    case .body, .chunkSize, .chunk, .chunkEnd, .trailers: true
    }
  }

  /// The number of buffered bytes, without the fields of a head.
  package var heldByteCount: Int { input.count + body.count }

  /// Whether there are received bytes that are not parsed yet.
  var hasUnread: Bool { !input.isEmpty }

  /// Removes and returns the unparsed bytes, for another protocol.
  package mutating func takeUnread() -> [UInt8] {
    input.takeAll()
  }

  /// The next step; `nil` until more bytes are appended.
  ///
  /// - Throws: The refusal to respond with. No further bytes are parsed.
  package mutating func next() throws(RequestRefusal) -> Step? {
    do throws(RequestRefusal) {
      return try step()
    } catch {
      place = .refused(error)
      throw error
    }
  }

  private mutating func step() throws(RequestRefusal) -> Step? {
    while true {
      switch place {
      case .beforeRequest:
        guard try readRequestLine() else { return nil }
      case .fields(let line, var head):
        // Moved out of the state, so that appending does not copy it.
        place = .beforeRequest
        let isComplete = try readFields(&head)
        place = .fields(line, head)
        guard isComplete else { return nil }
        return try .head(end(line, head))
      case .body(.none):
        return endOfRequest(nil)
      case .body(.sized(let length)):
        guard body.count < length else { return endOfRequest(body) }
        guard input.move(upTo: length - body.count, to: &body) > 0 else { return nil }
      case .body(.chunked):
        place = .chunkSize
      case .chunkSize:
        guard let line = try input.line(upTo: Self.chunkLineLimit, Self.chunkLineTooLong) else { return nil }
        let size = try ChunkSize.read(line)
        guard size <= limits.bodyBytes - body.count else { throw tooLarge() }
        extensionCount += max(0, line.count - 16)
        guard extensionCount - body.count <= limits.headBytes else { throw Self.extensionsTooLong }
        headCount = 0
        place = size == 0 ? .trailers : .chunk(left: size)
      case .chunk(let left):
        let count = input.move(upTo: left, to: &body)
        guard count > 0 else { return nil }
        place = left == count ? .chunkEnd : .chunk(left: left - count)
      case .chunkEnd:
        let refusal = RequestRefusal.malformed("A chunk is longer than its size (RFC 9112 §7.1).")
        guard let line = try input.line(upTo: 0, refusal) else { return nil }
        guard line.isEmpty else { throw refusal }
        place = .chunkSize
      case .trailers:
        guard let line = try fieldLine() else { return nil }
        if line.isEmpty { return endOfRequest(body) }
        _ = try FieldLine(line)
      case .refused(let refusal):
        throw refusal
      }
    }
  }

  private mutating func endOfRequest(_ whole: Data?) -> Step {
    place = .beforeRequest
    body = Data()
    headCount = 0
    extensionCount = 0
    return .body(whole)
  }

  // MARK: - Head

  private mutating func readRequestLine() throws(RequestRefusal) -> Bool {
    // Some old clients send empty lines before a request (RFC 9112 §2.2).
    while let first = input.first {
      guard first == .carriageReturn || first == .lineFeed else {
        guard first.isToken else {
          throw .malformed(
            "A request begins with its method; this is not HTTP/1.1 without TLS (RFC 9112 §3).")
        }
        break
      }
      let refusal = RequestRefusal.malformed("A CR is not followed by an LF (RFC 9112 §2.2).")
      guard try input.line(upTo: 0, refusal) != nil else { return false }
      emptyLines += 1
      guard emptyLines <= 8 else { throw .malformed("There are too many empty lines before a request.") }
    }
    let limit = min(limits.requestLineBytes, limits.headBytes)
    guard
      let line = try input.line(
        upTo: limit, RequestRefusal(414, "The request line is longer than \(limit) bytes."))
    else { return false }
    emptyLines = 0
    headCount = line.count + 2
    place = .fields(try RequestLine(line), HeadBuilder())
    return true
  }

  /// - Returns: Whether the blank line was read.
  private mutating func readFields(_ head: inout HeadBuilder) throws(RequestRefusal) -> Bool {
    let isBeginning = head.fields.isEmpty
    if isBeginning, let (known, count) = fieldMemory.take(from: &input, upTo: limits.headBytes - headCount) {
      head = known
      headCount += count
      return true
    }
    let unread = input.unused
    while let line = try fieldLine() {
      if line.isEmpty {
        if isBeginning { fieldMemory.keep(head, unread.prefix(unread.count - input.unused.count)) }
        return true
      }
      guard head.fields.count < limits.fieldCount else {
        throw RequestRefusal(431, "The request has more than \(limits.fieldCount) fields.")
      }
      try head.add(FieldLine(line))
    }
    return false
  }

  private mutating func fieldLine() throws(RequestRefusal) -> ArraySlice<UInt8>? {
    let refusal = RequestRefusal(431, "The head of the request is longer than \(limits.headBytes) bytes.")
    guard let line = try input.line(upTo: limits.headBytes - headCount - 2, refusal) else { return nil }
    headCount += line.count + 2
    return line
  }

  private mutating func end(
    _ line: RequestLine, _ builder: HeadBuilder
  ) throws(RequestRefusal) -> RequestHead {
    let head = try builder.head(line, &targets)
    if case .sized(let length) = head.framing, length > limits.bodyBytes { throw tooLarge() }
    place = .body(head.framing)
    return head
  }

  private func tooLarge() -> RequestRefusal {
    RequestRefusal(413, "The body of the request is longer than \(limits.bodyBytes) bytes.")
  }

  private static let chunkLineLimit = 1_024
  private static let extensionsTooLong = RequestRefusal.malformed(
    "The chunks of the body have more extensions than content (RFC 9112 §7.1.1).")
  private static let chunkLineTooLong = RequestRefusal.malformed(
    "The line with a chunk size is longer than \(chunkLineLimit) bytes.")
}
