import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording

/// A Postman collection (format 2.0 or 2.1), whose saved responses are imported.
struct PostmanCollection {
  private let source: ImportSource
  private let variables: [String: String]

  /// Adds the saved responses of a collection.
  static func add(
    _ document: ImportedValue, of source: ImportSource, _ settings: ImportSettings,
    to recording: inout ImportedRecording
  ) throws(CommandError) {
    var variables: [String: String] = [:]
    for variable in try document.list("variable") {
      guard let name = variable["key"]?.text ?? variable["id"]?.text else { continue }
      variables[name] = variable["value"]?.text
    }
    variables.merge(settings.variables) { $1 }
    try PostmanCollection(source: source, variables: variables).add(document, named: "", to: &recording)
  }

  /// Adds a folder, or the collection itself.
  private func add(
    _ folder: ImportedValue, named path: String, to recording: inout ImportedRecording
  ) throws(CommandError) {
    for item in try folder.list("item") {
      let name = path + (try item.text("name") ?? "untitled")
      if item.has("item") {
        try add(item, named: name + "/", to: &recording)
        continue
      }
      let responses = try item.list("response")
      guard !responses.isEmpty else {
        recording.leaveOut(name, "it has no saved response")
        continue
      }
      for response in responses {
        let label = responses.count == 1 ? name : "\(name) (\(try response.text("name") ?? "untitled"))"
        // The request as it was when the response was saved.
        guard let request = response["originalRequest"] ?? item["request"] else {
          recording.leaveOut(label, "it has no request")
          continue
        }
        try recording.add(label, of: source) { try exchange(request, response) }
      }
    }
  }

  private func exchange(_ request: ImportedValue, _ response: ImportedValue) throws -> ImportedExchange {
    let url = try self.url(request)
    guard let code = try response.number("code") else {
      throw NotImported(reason: "its response has no status")
    }
    var exchange = ImportedExchange(try request.text("method") ?? "GET", url, status: code)
    exchange.statusText = try response.text("status") ?? ""
    exchange.fields = try fields(request["header"])
    if let body = request["body"] { try add(body, to: &exchange) }
    exchange.answerFields = try fields(response["header"])
    exchange.answer = Data((try response.text("body") ?? "").utf8)
    exchange.wait = response["responseTime"]?.text.flatMap { Double($0) } ?? 0
    return exchange
  }

  // MARK: - Requests

  /// Returns the URL with the values of its variables; a request may also be just a URL.
  private func url(_ request: ImportedValue) throws -> String {
    let url = request["url"] ?? request
    var text = url.text ?? ""
    if url.text == nil {
      text = try url.text("raw") ?? assembled(url)
      for variable in try url.list("variable") {
        guard let name = try variable.text("key"), let value = try variable.text("value") else { continue }
        text = text.replacing("/:\(name)", with: "/\(value)")
      }
    }
    text = filled(text)
    if let open = text.firstMatch(of: #/\{\{([^{}]*)\}\}/#) {
      throw NotImported(
        reason:
          "its URL has the variable \(open.output.1), which the collection does not define; use --variable")
    }
    return text.contains("://") ? text : "http://" + text
  }

  /// Returns the URL of its parts, without disabled query items.
  private func assembled(_ url: ImportedValue) throws -> String {
    func joined(_ name: String, by separator: String) throws -> String {
      guard let parts = url[name] else { return "" }
      return parts.text
        ?? (parts.elements ?? []).compactMap { $0.text ?? $0["value"]?.text }.joined(separator: separator)
    }
    let scheme = try url.text("protocol") ?? "http"
    let port = try url.text("port").map { ":\($0)" } ?? ""
    let path = try joined("path", by: "/")
    let query = try enabled(url.list("query")).map { item in
      let name = try item.text("key") ?? ""
      return try item.text("value").map { "\(name)=\($0)" } ?? name
    }.joined(separator: "&")
    return "\(scheme)://\(try joined("host", by: "."))\(port)/\(path)" + (query.isEmpty ? "" : "?\(query)")
  }

  private func enabled(_ values: [ImportedValue]) -> [ImportedValue] {
    values.filter { $0["disabled"]?.json != .boolean(true) }
  }

  /// Returns a text with the values of variables; unknown ones remain.
  private func filled(_ text: String) -> String {
    guard text.contains("{{") else { return text }
    var text = text
    // A value may have variables itself.
    for _ in 0..<5 {
      let next = text.replacing(#/\{\{([^{}]*)\}\}/#) { match in
        variables[match.output.1.trimmingCharacters(in: .whitespaces)] ?? String(match.output.0)
      }
      guard next != text else { break }
      text = next
    }
    return text
  }

  /// Returns header fields: a list of pairs, or a text with a line for each.
  private func fields(_ header: ImportedValue?) throws -> HTTP.Fields {
    var fields = HTTP.Fields()
    guard let header else { return fields }
    if let text = header.text {
      for line in text.split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        fields.append(name: String(parts[0]), value: filled(parts[1].trimmingCharacters(in: .whitespaces)))
      }
    }
    for field in enabled(header.elements ?? []) {
      guard let name = try field.text("key"), !name.isEmpty else { continue }
      fields.append(name: name, value: filled(try field.text("value") ?? ""))
    }
    return fields
  }

  private func add(_ body: ImportedValue, to exchange: inout ImportedExchange) throws {
    guard body["disabled"]?.json != .boolean(true) else { return }
    var type: String?
    switch try body.text("mode") {
    case nil, "raw":
      guard let raw = try body.text("raw"), !raw.isEmpty else { return }
      exchange.body = Data(filled(raw).utf8)
      if try body["options"]?["raw"]?.text("language") == "json" { type = "application/json" }
    case "urlencoded":
      let items = try enabled(body.list("urlencoded")).map { item in
        "\(Self.formEncoded(filled(try item.text("key") ?? "")))=\(Self.formEncoded(filled(try item.text("value") ?? "")))"
      }
      exchange.body = Data(items.joined(separator: "&").utf8)
      type = "application/x-www-form-urlencoded"
    case "formdata":
      type = "multipart/form-data; boundary=\(Self.boundary)"
      exchange.body = try multipart(enabled(body.list("formdata")))
      exchange.fields["Content-Type"] = nil
    case "graphql":
      guard let query = body["graphql"] else { return }
      var members: [JSONValue.Member] = [.init("query", .string(filled(try query.text("query") ?? "")))]
      if let text = try query.text("variables"), !text.isEmpty {
        guard let variables = try? JSONValue(parsing: Data(filled(text).utf8)) else {
          throw NotImported(reason: "the variables of its GraphQL query are not JSON")
        }
        members.append(.init("variables", variables))
      }
      exchange.body = Data(JSONValue.object(members).compactText.utf8)
      type = "application/json"
    case let mode?: throw NotImported(reason: "its body is a \(mode), which the collection does not contain")
    }
    if let type, exchange.fields["Content-Type"] == nil {
      exchange.fields.append(name: "Content-Type", value: type)
    }
  }

  /// Any boundary is right, because the parts are compared.
  private static let boundary = "----imported-form"

  private func multipart(_ parts: [ImportedValue]) throws -> Data {
    var text = ""
    for part in parts {
      guard try part.text("type") != "file" else {
        throw NotImported(reason: "its body has a file, which the collection does not contain")
      }
      let name = try part.text("key") ?? ""
      text += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n"
      if let type = try part.text("contentType") { text += "Content-Type: \(type)\r\n" }
      text += "\r\n\(filled(try part.text("value") ?? ""))\r\n"
    }
    return Data((text + "--\(Self.boundary)--\r\n").utf8)
  }

  /// Encodes a part of a form (WHATWG URL §5.2).
  private static func formEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: " "): "+"
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        String(Character(Unicode.Scalar(byte)))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
