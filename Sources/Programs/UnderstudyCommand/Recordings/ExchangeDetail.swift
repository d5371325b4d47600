import Foundation
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// The details of one exchange of a recording as text.
struct ExchangeDetail {
  private let entry: HTTPArchive.Entry
  private let title: String

  init(_ entry: HTTPArchive.Entry, number: Int, of file: String) {
    self.entry = entry
    let date = entry.startedDateTime.map { ", \($0.inUTC)" } ?? ""
    title = "Exchange \(number) of \(file)\(date)"
  }

  var lines: [String] {
    [title.visible, ""] + request + [""] + response + (entry.isWebSocket ? [""] + messages : [])
  }

  private var request: [String] {
    let request = entry.request
    var lines = ["\(request.method) \(request.url)".visible] + Self.fields(request.headers)
    if let data = request.postData {
      guard let body = data.body else {
        return lines + ["", "  a body that is marked as base64 but is not valid base64"]
      }
      if !body.isEmpty { lines += [""] + Self.body(body) }
    }
    return lines
  }

  private var response: [String] {
    let response = entry.response
    let took = entry.time.map { ", \(Words.duration(milliseconds: $0))" } ?? ""
    if let failure = response.failure { return ["no response\(took): \(failure)".visible] }
    var lines = ["\(response.status)\(took)"] + Self.fields(response.headers)
    guard let body = response.content.body else {
      return lines + ["", "  a body that is marked as base64 but is not valid base64"]
    }
    let answer = RecordedAnswer(entry)
    if answer.lacksBody {
      return lines + ["", "  a body of \(answer.byteCount) bytes that was not recorded"]
    }
    let stream = response.content.stream.flatMap { stream in
      !entry.isWebSocket && (stream.chunks.count > 1 || answer.badEnd != nil) ? stream : nil
    }
    if let stream { lines += [""] + Self.chunks(of: body, stream) }
    // The chunks already show the text; JSON is more readable in one piece.
    if !body.isEmpty, stream == nil || answer.json != nil { lines += [""] + Self.body(body) }
    return lines
  }

  // MARK: - Parts

  private static func fields(_ fields: [HTTPArchive.NamedValue]) -> [String] {
    fields.map { "  \($0.name): \($0.value)".visible }
  }

  /// Returns indented JSON, unchanged text, or the number of bytes with the first of them.
  private static func body(_ body: Data) -> [String] {
    if let json = try? JSONValue(parsing: body) { return json.indentedLines.map { "  " + $0 } }
    if let text = String(exactlyUTF8: body) {
      return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { "  " + String($0).visible }
    }
    return ["  " + binary(body)]
  }

  private static func binary(_ bytes: Data) -> String {
    let first = bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "\(Words.count(bytes.count, "byte")): \(first.joined(separator: " "))"
      + (bytes.count > 16 ? " …" : "")
  }

  private static func chunks(of body: Data, _ stream: HTTPArchive.BodyStream) -> [String] {
    var rest = body[...]
    var table = TextTable(.right, .right, .left)
    for chunk in stream.chunks {
      let part = rest.prefix(max(0, chunk.size))
      rest = rest.dropFirst(part.count)
      table.append(
        "+" + Words.duration(milliseconds: chunk.time), Words.bytes(chunk.size), excerpt(Data(part)))
    }
    let end =
      switch stream.ending {
      case .complete: "complete"
      case .unfinished: "unfinished: the reader stopped"
      case .cutOff(let limit): "unfinished: cut off at \(Words.bytes(limit))"
      case .failed(let error): error.description
      }
    table.append(stream.endTime.map { "+" + Words.duration(milliseconds: $0) } ?? "", "end", end)
    return table.lines().map { "  " + $0 }
  }

  private static func excerpt(_ bytes: Data) -> String {
    String(exactlyUTF8: bytes).map { JSONValue.string($0).compactText } ?? binary(bytes)
  }

  private var messages: [String] {
    let start = entry.startedDateTime?.timeIntervalSince1970
    func time(_ seconds: Double?) -> String {
      guard let seconds, let start else { return "" }
      return "+" + Words.duration(milliseconds: (seconds - start) * 1000)
    }
    var table = TextTable(.right, .left, .left)
    for message in entry.webSocketMessages {
      let arrow = message.direction.map { $0 == .send ? "↑" : "↓" } ?? "?"
      let content =
        switch message.message {
        case .text(let text): Self.excerpt(Data(text.utf8))
        case .binary(let bytes): Self.binary(bytes)
        case nil: "opcode \(message.opcode), \(Words.count(message.data.count, "character"))"
        }
      table.append(time(message.time), arrow, content)
    }
    if let end = entry.webSocketEnd {
      let words =
        switch end.cause {
        case .closed(let side, let closure):
          "closed by the \(side.rawValue): \(closure.code.rawValue) \(closure.reason)"
        case .unfinished: "unfinished"
        case .cutOff(let limit): "unfinished: cut off at \(Words.bytes(limit))"
        case .failed(let error): error.description
        }
      table.append(time(end.time), "end", words)
    }
    return ["messages:"] + table.lines().map { "  " + $0 }
  }
}

extension JSONValue {
  /// The document with one line for each value, indented by two spaces.
  var indentedLines: [String] {
    var bytes: [UInt8] = []
    writeIndented(into: &bytes, joinsFewScalars: false)
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self).visible }
  }
}
