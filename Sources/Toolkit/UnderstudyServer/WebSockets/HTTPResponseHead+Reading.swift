package import UnderstudyHTTP

extension HTTPResponseHead {
  /// The maximum size of a head, in bytes.
  private static let limit = 64 << 10

  /// Reads the head of the final response or of a protocol switch; skips other interim responses (RFC 9110 §15.2).
  ///
  /// - Returns: The head, and the bytes received after it.
  package static func read(from stream: any ByteStream) async throws -> (
    head: HTTPResponseHead, rest: [UInt8]
  ) {
    var bytes: [UInt8] = []
    var searched = 0
    var interimCount = 0
    while true {
      if let end = endOfHead(in: bytes, from: searched) {
        let head = try HTTPResponseHead(Array(bytes[..<(end - 4)]))
        bytes.removeFirst(end)
        searched = 0
        if head.status >= 200 || head.status == 101 { return (head, bytes) }
        interimCount += 1
        guard interimCount <= ResponseReader.interimLimit else {
          throw ResponseReader.tooManyInterimResponses
        }
        continue
      }
      guard bytes.count <= limit else {
        throw TransportError(.unreadableResponse, "The head of the response is longer than \(limit) bytes.")
      }
      searched = max(0, bytes.count - 3)
      guard let more = try await stream.read() else {
        throw TransportError(
          .connectionLost, "The connection ended before the head of the response was complete.")
      }
      bytes += more
      // Checked before the line is complete, because its end may never arrive.
      guard zip(bytes, beginning).allSatisfy(==) else {
        throw TransportError(.unreadableResponse, "The response does not begin with an HTTP status line.")
      }
    }
  }

  /// The beginning of every status line (RFC 9112 §4).
  private static let beginning = Array("HTTP/".utf8)

  /// The index after the first blank line.
  private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
    let blankLine = Array("\r\n\r\n".utf8)
    var index = start
    while index + 4 <= bytes.count {
      if bytes[index] == blankLine[0], bytes[index..<(index + 4)].elementsEqual(blankLine) {
        return index + 4
      }
      index += 1
    }
    return nil
  }
}
