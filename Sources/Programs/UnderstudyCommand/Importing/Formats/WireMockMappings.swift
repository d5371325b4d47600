import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording

/// The stub mappings of WireMock: a JSON file with one or several, or a folder with `mappings/` and `__files/`.
///
/// A stub whose request is exact becomes an exchange. The others, and everything that a recording cannot express, are
/// listed.
struct WireMockMappings {
  private struct Stub {
    let name: String
    let source: ImportSource
    let mapping: ImportedValue
    let priority: Int
    /// The folder with the files of bodies.
    let files: URL
  }

  private let origin: String
  private var stubs: [Stub] = []

  init(_ settings: ImportSettings) {
    origin = settings.origin
  }

  /// Adds the stubs in the files of a folder.
  mutating func add(folder source: ImportSource) throws(CommandError) {
    let mappings = source.url.appending(path: "mappings", directoryHint: .isDirectory)
    let isRoot = FileManager.default.fileExists(atPath: mappings.path(percentEncoded: false))
    let folder = isRoot ? mappings : source.url
    let names =
      FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?
      .compactMap { $0 as? String } ?? []
    for name in names.filter({ $0.hasSuffix(".json") }).sorted() {
      let file = try ImportSource(folder.appending(path: name).path(percentEncoded: false))
      let files = (isRoot ? source.url : folder.deletingLastPathComponent()).appending(path: "__files")
      try add(try file.document(), of: file, files: files)
    }
    guard !stubs.isEmpty else { throw CommandError("\(source.path): No stub mapping (.json) found.") }
  }

  /// Adds the stubs of a file.
  mutating func add(_ document: ImportedValue, of source: ImportSource, files: URL? = nil)
    throws(CommandError)
  {
    let folder = source.url.deletingLastPathComponent()
    let parent = folder.lastPathComponent == "mappings" ? folder.deletingLastPathComponent() : folder
    var mappings = document.elements ?? [document]
    if document.has("mappings") { mappings = try document.list("mappings") }
    for (index, mapping) in mappings.enumerated() {
      let file = source.url.deletingPathExtension().lastPathComponent
      let name = try mapping.text("name") ?? (mappings.count == 1 ? file : "\(file), stub \(index + 1)")
      stubs.append(
        Stub(
          name: name, source: source, mapping: mapping, priority: try mapping.number("priority") ?? 5,
          files: files ?? parent.appending(path: "__files")))
    }
  }

  /// Adds the exchanges of the stubs.
  func add(to recording: inout ImportedRecording) throws(CommandError) {
    // WireMock answers with the stub of the highest priority (the lowest number), and the latest of those.
    var answered: Set<JSONValue> = []
    let order = stubs.enumerated().sorted {
      ($0.element.priority, -$0.offset) < ($1.element.priority, -$1.offset)
    }
    let hidden = Set(
      order.filter { _, stub in
        // The states of a scenario have the same request.
        guard !stub.mapping.has("scenarioName"), let request = stub.mapping["request"]?.json else {
          return false
        }
        return !answered.insert(request).inserted
      }.map(\.offset))
    for (index, stub) in stubs.enumerated() {
      guard !hidden.contains(index) else {
        recording.leaveOut(stub.name, "another stub answers the same request")
        continue
      }
      var notes: [String] = []
      try recording.add(stub.name, of: stub.source) { try exchange(stub, noting: &notes) }
      for note in notes { recording.note(stub.name, note) }
    }
  }

  private func exchange(_ stub: Stub, noting notes: inout [String]) throws -> ImportedExchange {
    let mapping = stub.mapping
    let request = try mapping.required("request")
    let response = try mapping.required("response")
    if mapping.has("scenarioName") { throw NotImported(reason: "it depends on the state of a scenario") }
    let unknown = Set(request.members.map(\.name)).subtracting(Self.exactMembers).sorted()
    guard unknown.isEmpty else {
      throw NotImported(reason: "its request is not exact (\(unknown.joined(separator: ", ")))")
    }
    let method = try request.text("method") ?? "ANY"
    guard method != "ANY" else { throw NotImported(reason: "its request is not exact (method)") }
    var exchange = ImportedExchange(method, try url(request), status: try response.number("status") ?? 200)
    try addFields(of: request, to: &exchange)
    exchange.body = try body(of: request, noting: &notes)
    try addAnswer(response, of: stub, to: &exchange, noting: &notes)
    if mapping.has("postServeActions") || mapping.has("serveEventListeners") {
      notes.append("imported without its webhooks")
    }
    return exchange
  }

  // MARK: - Requests

  private static let exactMembers: Set<String> = [
    "method", "url", "urlPath", "queryParameters", "headers", "cookies", "basicAuthCredentials",
    "bodyPatterns",
    "scheme", "host", "port",
  ]

  /// Returns the URL of an exact request.
  private func url(_ request: ImportedValue) throws -> String {
    guard var target = try request.text("url") ?? request.text("urlPath") else {
      throw NotImported(reason: "its request is not exact (url)")
    }
    var items: [String] = []
    for (name, pattern) in request["queryParameters"]?.members ?? [] {
      let values = pattern["hasExactly"]?.elements ?? [pattern]
      for value in values {
        guard let text = try Self.exactText(value, "queryParameters") else { continue }
        items.append("\(Self.encoded(name))=\(Self.encoded(text))")
      }
    }
    if !items.isEmpty { target += (target.contains("?") ? "&" : "?") + items.joined(separator: "&") }
    guard request.has("scheme") || request.has("host") || request.has("port") else { return origin + target }
    let base = URLComponents(string: origin)
    let scheme = try request.text("scheme") ?? base?.scheme ?? "http"
    let host = try request["host"].flatMap { try Self.exactText($0, "host") } ?? base?.host ?? "localhost"
    let port = try request.number("port") ?? (request.has("host") ? nil : base?.port)
    return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") + target
  }

  private static func encoded(_ text: String) -> String {
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
  }

  /// Returns the text that a pattern requires; `nil` if it requires that the part is absent.
  ///
  /// - Throws: `NotImported` if other texts match too.
  private static func exactText(_ pattern: ImportedValue, _ part: String) throws -> String? {
    if pattern["absent"]?.json == .boolean(true) { return nil }
    let others = Set(pattern.members.map(\.name)).subtracting(["equalTo", "caseInsensitive"])
    guard others.isEmpty, let text = try pattern.text("equalTo") else {
      throw NotImported(
        reason: "its request is not exact (\(part): \(others.sorted().joined(separator: ", ")))")
    }
    return text
  }

  private func addFields(of request: ImportedValue, to exchange: inout ImportedExchange) throws {
    for (name, pattern) in request["headers"]?.members ?? [] {
      for value in pattern["hasExactly"]?.elements ?? [pattern] {
        guard let text = try Self.exactText(value, "headers") else { continue }
        exchange.fields.append(name: name, value: text)
      }
    }
    let cookies = try (request["cookies"]?.members ?? []).compactMap { name, pattern in
      try Self.exactText(pattern, "cookies").map { "\(name)=\($0)" }
    }
    if !cookies.isEmpty { exchange.fields.append(name: "Cookie", value: cookies.joined(separator: "; ")) }
    if let credentials = request["basicAuthCredentials"] {
      let pair = "\(try credentials.text("username") ?? ""):\(try credentials.text("password") ?? "")"
      exchange.fields.append(name: "Authorization", value: "Basic " + Data(pair.utf8).base64EncodedString())
    }
  }

  private func body(of request: ImportedValue, noting notes: inout [String]) throws -> Data? {
    let patterns = try request.list("bodyPatterns")
    guard let pattern = patterns.first else { return nil }
    guard patterns.count == 1 else {
      throw NotImported(reason: "its request is not exact (several bodyPatterns)")
    }
    if let text = try pattern.text("equalTo") { return Data(text.utf8) }
    if let text = try pattern.text("equalToXml") { return Data(text.utf8) }
    if let text = try pattern.text("binaryEqualTo") {
      guard let data = Data(base64Encoded: text) else {
        throw pattern.problem("Expected base64 in binaryEqualTo")
      }
      return data
    }
    guard let json = pattern["equalToJson"] else {
      let names = pattern.members.map(\.name).joined(separator: ", ")
      throw NotImported(reason: "its request is not exact (bodyPatterns: \(names))")
    }
    let text = json.text ?? json.json.compactText
    guard !text.contains("${json-unit.") else {
      throw NotImported(reason: "its request is not exact (bodyPatterns: placeholders)")
    }
    if pattern["ignoreExtraElements"]?.json == .boolean(true)
      || pattern["ignoreArrayOrder"]?.json == .boolean(true)
    {
      notes.append("imported for exactly this request body, although the stub accepts similar ones")
    }
    return Data(text.utf8)
  }

  // MARK: - Responses

  private func addAnswer(
    _ response: ImportedValue, of stub: Stub, to exchange: inout ImportedExchange,
    noting notes: inout [String]
  ) throws {
    if let fault = try response.text("fault") {
      throw NotImported(reason: "its response is the fault \(fault)")
    }
    if response.has("proxyBaseUrl") { throw NotImported(reason: "its response comes from a proxied service") }
    exchange.statusText = try response.text("statusMessage") ?? ""
    for (name, value) in response["headers"]?.members ?? [] {
      for value in value.elements ?? [value] {
        guard let text = value.text else { throw value.problem("Expected a text or a list of texts") }
        exchange.answerFields.append(name: name, value: text)
      }
    }
    exchange.answer = try answer(response, of: stub)
    let transformers = try response.list("transformers").compactMap(\.text)
    if transformers.contains("response-template") {
      let texts = exchange.answerFields.map(\.value) + [String(decoding: exchange.answer, as: UTF8.self)]
      guard !texts.contains(where: { $0.contains("{{") }) else {
        throw NotImported(reason: "its response is a template")
      }
    }
    let custom = transformers.filter { $0 != "response-template" }
    guard custom.isEmpty else {
      throw NotImported(reason: "its response is transformed (\(custom.joined(separator: ", ")))")
    }
    exchange.wait = try response.number("fixedDelayMilliseconds").map(Double.init) ?? 0
    if response.has("delayDistribution") || response.has("chunkedDribbleDelay") {
      notes.append("imported without its delays, which are random or between chunks")
    }
  }

  private func answer(_ response: ImportedValue, of stub: Stub) throws -> Data {
    if let json = response["jsonBody"] { return Data(json.json.compactText.utf8) }
    if let body = try response.text("body") { return Data(body.utf8) }
    if let base64 = try response.text("base64Body") {
      guard let data = Data(base64Encoded: base64) else {
        throw response.problem("Expected base64 in base64Body")
      }
      return data
    }
    guard let name = try response.text("bodyFileName") else { return Data() }
    guard !name.contains("{{") else { throw NotImported(reason: "its response is a template") }
    let file = stub.files.appending(path: name).standardizedFileURL
    // A mapping of another person must not read any file of this machine.
    guard
      file.path(percentEncoded: false).hasPrefix(
        stub.files.standardizedFileURL.path(percentEncoded: false) + "/")
    else { throw NotImported(reason: "its bodyFileName is outside of __files") }
    guard let data = try? Data(contentsOf: file) else {
      throw NotImported(reason: "its file __files/\(name) is missing")
    }
    return data
  }
}
