import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording

/// A cassette of VCR (Ruby), of vcrpy (Python), or of a tool with the same format, in JSON.
///
/// These tools write YAML unless they are configured. What is not UTF-8 in it is `{"base64_string": "…"}` here, which is
/// how VCR writes a body with `preserve_exact_body_bytes`.
enum Cassette {
  /// Adds the exchanges of a VCR cassette, `http_interactions`.
  static func addVCR(
    _ document: ImportedValue, of source: ImportSource, to recording: inout ImportedRecording
  ) throws(CommandError) {
    for interaction in try document.list("http_interactions") {
      let request = try interaction.required("request")
      let response = try interaction.required("response")
      let name = try self.name(of: request)
      try recording.add(name, of: source) {
        let status = try response.required("status")
        var exchange = try Self.exchange(request, status: status.number("code") ?? 0)
        exchange.statusText = try status.text("message") ?? ""
        exchange.answerFields = try fields(of: response)
        exchange.answer = try body(of: response) ?? Data()
        exchange.version = try response.text("http_version").flatMap(Self.version)
        exchange.date = try interaction.text("recorded_at").flatMap { text in
          Date(httpDate: text) ?? Date(isoDate: text)
        }
        return exchange
      }
    }
  }

  /// Adds the exchanges of a vcrpy cassette, `interactions`.
  static func addVCRpy(
    _ document: ImportedValue, of source: ImportSource, to recording: inout ImportedRecording
  ) throws(CommandError) {
    for interaction in try document.list("interactions") {
      let request = try interaction.required("request")
      let response = try interaction.required("response")
      let name = try self.name(of: request)
      try recording.add(name, of: source) {
        // Recorded with httpx, older versions have `status_code` and `content`.
        let status = response["status"]
        guard let code = try status?.number("code") ?? response.number("status_code") else {
          throw response.problem("status is missing")
        }
        var exchange = try Self.exchange(request, status: code)
        exchange.statusText = try status?.text("message") ?? ""
        exchange.answerFields = try fields(of: response)
        exchange.answer = try body(of: response) ?? data(response["content"]) ?? Data()
        exchange.version = try response.text("http_version").flatMap(Self.version)
        return exchange
      }
    }
  }

  private static func name(of request: ImportedValue) throws(CommandError) -> String {
    let method = try request.required("method").text ?? ""
    return "\(method.uppercased()) \(try request.required("uri").text ?? "")"
  }

  private static func exchange(_ request: ImportedValue, status: Int) throws -> ImportedExchange {
    let uri = try request.text("uri") ?? ""
    guard !uri.contains("<%") else { throw NotImported(reason: "its URL is an ERB template") }
    var exchange = ImportedExchange(try request.text("method") ?? "", uri, status: status)
    exchange.fields = try fields(of: request)
    exchange.body = try body(of: request).flatMap { $0.isEmpty ? nil : $0 }
    return exchange
  }

  /// Returns the header fields, whose values are texts or lists of texts.
  private static func fields(of message: ImportedValue) throws(CommandError) -> HTTP.Fields {
    var fields = HTTP.Fields()
    for (name, value) in message["headers"]?.members ?? [] {
      for value in value.elements ?? [value] {
        if case .null = value.json { continue }
        guard let text = value.text ?? data(value).map({ String(decoding: $0, as: UTF8.self) }) else {
          throw value.problem("Expected a text or a list of texts")
        }
        // Line ends would be further fields.
        fields.append(
          name: name, value: text.replacing(#/\s*[\r\n]+\s*/#, with: " ").trimmingCharacters(in: .whitespaces)
        )
      }
    }
    return fields
  }

  /// Returns the body of a message: a text, or an object with `string` or `base64_string`, and VCR's `encoding`.
  private static func body(of message: ImportedValue) throws(CommandError) -> Data? {
    guard let body = message["body"] else { return nil }
    if let string = body["string"], let text = string.text, let encoding = try body.text("encoding") {
      return data(of: text, in: encoding)
    }
    guard let data = data(body["string"] ?? body) else {
      // Without a text there is no body.
      if case .object(let members) = body.json, !members.contains(where: { $0.name.hasPrefix("base64") }) {
        return nil
      }
      throw body.problem("Expected a text, \"string\" or valid base64 in \"base64_string\"")
    }
    return data
  }

  private static func data(_ value: ImportedValue?) -> Data? {
    guard let value else { return nil }
    if let base64 = value["base64_string"]?.text {
      return Data(base64Encoded: base64.filter { !$0.isWhitespace })
    }
    return value.text.map { Data($0.utf8) }
  }

  /// Returns the bytes of a text that Ruby had in another encoding; JSON always is UTF-8.
  private static func data(of text: String, in encoding: String) -> Data {
    let encodings: [String: String.Encoding] = [
      "ISO-8859-1": .isoLatin1, "WINDOWS-1252": .windowsCP1252, "ISO-8859-2": .isoLatin2,
      "UTF-16": .utf16, "UTF-16LE": .utf16LittleEndian, "UTF-16BE": .utf16BigEndian, "SHIFT_JIS": .shiftJIS,
      "EUC-JP": .japaneseEUC,
    ]
    return encodings[encoding.uppercased()].flatMap { text.data(using: $0) } ?? Data(text.utf8)
  }

  /// Returns the version in the form of a status line.
  private static func version(_ text: String) -> String? {
    guard !text.isEmpty else { return nil }
    return text.hasPrefix("HTTP/") ? text : "HTTP/\(text)"
  }
}
