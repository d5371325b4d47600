import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording

/// A session archive of Fiddler (`.saz`): a ZIP archive with the bytes of each request and response, and their times.
enum FiddlerArchive {
  /// Adds the exchanges of an archive.
  static func add(_ source: ImportSource, to recording: inout ImportedRecording) throws(CommandError) {
    do {
      let archive = try ZipArchive(source.data)
      let requests = archive.names.filter { $0.lowercased().hasPrefix("raw/") && $0.hasSuffix("_c.txt") }
      guard !requests.isEmpty else {
        throw ZipArchive.Failure(message: "It is a ZIP archive without the sessions of Fiddler (raw/…_c.txt)")
      }
      // By number, because 10 is after 9.
      let stems = requests.map { String($0.dropLast("_c.txt".count)) }
        .sorted { ($0.count, $0) < ($1.count, $1) }
      for stem in stems { try add(stem, of: archive, source, to: &recording) }
    } catch let error as CommandError {
      throw error
    } catch {
      let failure = error as? ZipArchive.Failure
      throw CommandError("\(source.path): \(failure?.message ?? "\(error)").")
    }
  }

  private static func add(
    _ stem: String, of archive: ZipArchive, _ source: ImportSource, to recording: inout ImportedRecording
  ) throws {
    let number = stem.split(separator: "/").last ?? ""
    guard let sent = try archive.contents(of: stem + "_c.txt").flatMap(RawMessage.init) else {
      return recording.leaveOut("session \(number)", "its request is not a message of HTTP/1.1")
    }
    let answer = try archive.contents(of: stem + "_s.txt")
    let times = try archive.contents(of: stem + "_m.xml").map { String(decoding: $0, as: UTF8.self) }
    try recording.add("session \(number)", of: source) {
      let line = sent.start.split(separator: " ")
      guard line.count >= 2 else { throw NotImported(reason: "its request is not a message of HTTP/1.1") }
      guard line[0] != "CONNECT" else { throw NotImported(reason: "it is a tunnel of a proxy (CONNECT)") }
      guard let answer = answer.flatMap(RawMessage.init) else {
        throw NotImported(reason: "it has no response")
      }
      let status = answer.start.split(separator: " ", maxSplits: 2)
      guard status.count >= 2, let code = Int(status[1]) else {
        throw NotImported(reason: "it has no response")
      }
      // A request to a server, not to a proxy, has only the path.
      let target = String(line[1])
      let url = target.hasPrefix("/") ? "http://\(sent.fields["Host"] ?? "")\(target)" : target
      var exchange = ImportedExchange(String(line[0]), url, status: code)
      exchange.fields = sent.fields
      exchange.body = sent.body.isEmpty ? nil : sent.body
      exchange.statusText = status.count > 2 ? String(status[2]) : ""
      exchange.version = String(status[0])
      exchange.answerFields = answer.fields
      exchange.answer = answer.body
      if let times { addTimes(times, to: &exchange) }
      return exchange
    }
  }

  /// Reads the attributes of `SessionTimers`.
  private static func addTimes(_ xml: String, to exchange: inout ImportedExchange) {
    func date(_ name: String) -> Date? {
      guard let start = xml.firstRange(of: "\(name)=\"") else { return nil }
      let date = Date(isoDate: String(xml[start.upperBound...].prefix { $0 != "\"" }))
      // A time that is unknown is in the year 1.
      return date.flatMap { $0.timeIntervalSince1970 > 0 ? $0 : nil }
    }
    exchange.date = date("ClientBeginRequest")
    let sent = date("ClientDoneRequest") ?? exchange.date
    let (began, ended) = (date("ServerBeginResponse"), date("ServerDoneResponse"))
    func milliseconds(_ start: Date?, _ end: Date?) -> Double {
      guard let start, let end else { return 0 }
      return max(0, (end.timeIntervalSince(start) * 1000).rounded())
    }
    exchange.wait = milliseconds(sent, began)
    exchange.receive = milliseconds(began, ended)
  }
}

/// A message of HTTP/1.1 as it was transferred, with its body without the transfer coding.
struct RawMessage {
  /// The request line or the status line.
  let start: String
  private(set) var fields = HTTP.Fields()
  private(set) var body = Data()

  /// Parses a message; `nil` if it has no head.
  init?(_ data: Data) {
    let bytes = [UInt8](data)
    var position = 0
    func nextLine() -> ArraySlice<UInt8>? {
      guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0x0A) else { return nil }
      let line = bytes[position..<end]
      position = end + 1
      return line.last == 0x0D ? line.dropLast() : line
    }
    guard let first = nextLine(), !first.isEmpty else { return nil }
    start = String(decoding: first, as: UTF8.self)
    while let line = nextLine(), !line.isEmpty {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      fields.append(
        name: String(decoding: line[..<colon], as: UTF8.self),
        value: Self.text(line[(colon + 1)...]).trimmingCharacters(in: .whitespaces))
    }
    let rest = bytes[min(position, bytes.count)...]
    let isChunked = fields["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") ?? false
    // A proxy may have removed the coding and kept the field.
    body = isChunked ? Self.joinedChunks(rest) ?? Data(rest) : Data(rest)
  }

  /// Returns a text whose bytes are UTF-8, or otherwise Latin-1 (RFC 9110 §5.5).
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(exactlyUTF8: bytes) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Joins the chunks of a body (RFC 9112 §7.1); `nil` if it is not chunked.
  private static func joinedChunks(_ bytes: ArraySlice<UInt8>) -> Data? {
    var body = Data()
    var position = bytes.startIndex
    while let end = bytes[position...].firstIndex(of: 0x0A) {
      let line = String(decoding: bytes[position..<end].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
      guard let size = Int(line.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16), size >= 0 else {
        return nil
      }
      if size == 0 { return body }
      let start = end + 1
      guard size <= bytes.endIndex - start else { return nil }
      body += bytes[start..<start + size]
      position = start + size
      if position < bytes.endIndex, bytes[position] == 0x0D { position += 1 }
      guard position < bytes.endIndex, bytes[position] == 0x0A else { return nil }
      position += 1
    }
    return nil
  }
}
