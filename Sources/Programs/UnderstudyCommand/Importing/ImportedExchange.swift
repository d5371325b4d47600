import Foundation
import UnderstudyHTTP
import UnderstudyRecording

/// The reason why an exchange is not imported.
struct NotImported: Error {
  let reason: String
}

/// A request and its response in the words of another tool.
struct ImportedExchange {
  var method: String
  var url: String
  var fields = HTTP.Fields()
  var body: Data?
  var status: Int
  var statusText = ""
  /// The version of the response, such as `HTTP/1.1`.
  var version: String?
  var answerFields = HTTP.Fields()
  /// The body of the response, which may still be compressed.
  var answer = Data()
  /// When the request was sent, if the tool recorded it.
  var date: Date?
  /// The durations until the head of the response, and from then on, in milliseconds.
  var wait: Double = 0
  var receive: Double = 0

  init(_ method: String, _ url: String, status: Int) {
    self.method = method.uppercased()
    self.url = url
    self.status = status
  }

  /// Returns the exchange as an entry of a recording.
  ///
  /// - Parameter fallback: The date if neither the tool nor the response has one.
  func entry(otherwiseAt fallback: Date) throws(NotImported) -> HTTPArchive.Entry {
    guard let url = URL(string: url), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host()?.isEmpty == false
    else { throw NotImported(reason: "its URL is not an http or https URL: \(url)") }
    guard (100..<600).contains(status) else { throw NotImported(reason: "its status is \(status)") }
    guard status != 101 else { throw NotImported(reason: "it is a WebSocket") }
    let type = answerFields["Content-Type"] ?? ""
    var response = HTTPArchive.Response(
      status: status, fields: answerFields, content: .init(try decodedAnswer(), mimeType: type))
    response["statusText"] = .string(statusText)
    if let version { response["httpVersion"] = .string(version) }
    let request = HTTP.Request(HTTP.Method(rawValue: method), url, fields: fields, body: body)
    return HTTPArchive.Entry(
      startedDateTime: date ?? answerFields["Date"].flatMap(Date.init(httpDate:)) ?? fallback,
      request: .init(request), response: response, timings: .init(wait: wait, receive: receive))
  }

  /// The body of the response as HAR 1.2 stores it, without its content coding.
  ///
  /// Many tools keep `Content-Encoding` and store the decoded body, so the bytes decide.
  private func decodedAnswer() throws(NotImported) -> Data {
    let codings = (answerFields["Content-Encoding"] ?? "").lowercased().split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "identity" }
    guard let coding = codings.last, !answer.isEmpty else { return answer }
    guard codings.count == 1 else {
      throw NotImported(reason: "its body has several content codings (\(codings.joined(separator: ", ")))")
    }
    switch coding {
    case "gzip", "x-gzip":
      guard answer.starts(with: [0x1F, 0x8B]) else { return answer }
      guard let decoded = Inflation.bytes(of: answer, coding: coding) else {
        throw NotImported(reason: "its gzip body is damaged or too large")
      }
      return decoded
    case "deflate":
      return Inflation.bytes(of: answer, coding: coding) ?? answer
    default:
      // A text is not compressed.
      guard String(exactlyUTF8: answer) == nil else { return answer }
      throw NotImported(reason: "its body is compressed with \(coding), which is not supported")
    }
  }
}

extension Date {
  /// Parses a date in the form of HTTP (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  init?(httpDate text: String) {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard
      let match = text.wholeMatch(
        of: #/[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9:]{8}) GMT/#),
      let month = months.firstIndex(of: String(match.output.2))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    let iso = "\(match.output.3)-\(number)-\(match.output.1)T\(match.output.4)Z"
    guard let date = try? Date.ISO8601FormatStyle().parse(iso) else { return nil }
    self = date
  }

  /// Parses a date in ISO 8601 with a fraction of any length, as recordings have it.
  init?(isoDate text: String) {
    let entry = HTTPArchive.Entry(members: [.init("startedDateTime", .string(text))])
    guard let date = entry.startedDateTime else { return nil }
    self = date
  }
}
