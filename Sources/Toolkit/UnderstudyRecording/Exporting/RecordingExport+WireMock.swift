import Foundation
import UnderstudyHTTP

extension RecordingExport {
  /// Exports recordings as stub mappings of WireMock 3: a file in `mappings/` for each, and larger bodies in `__files/`.
  ///
  /// - The method, the path, the query in its recorded order, `Authorization` and the body of a request must be equal,
  ///   except for the body of a form with files. A secret of the client may have any value.
  /// - Different responses to the same request in one recording are a scenario, which ends with the last one. Another
  ///   recording's response to that request is omitted, because WireMock knows no recordings.
  ///
  /// `document` has all stubs, as WireMock's own export.
  package static func wireMock(of recordings: [NamedRecording]) -> RecordingExport {
    var interactions = RecordedInteractions(of: recordings, keepsRepetitions: true)
    var groups: [JSONValue: [RecordedInteraction]] = [:]
    var order: [JSONValue] = []
    for interaction in interactions.all {
      let request = interaction.wireMockRequest
      if let first = groups[request]?.first {
        guard first.recording == interaction.recording else {
          // The answer of another recording is only missing if it differs.
          if first.wireMockAnswer != interaction.wireMockAnswer {
            interactions.omit(interaction, "left out: another recording answers the same request")
          }
          continue
        }
      } else {
        order.append(request)
      }
      groups[request, default: []].append(interaction)
    }
    var stubs: [(name: String, mapping: JSONValue)] = []
    var files: [(path: String, contents: Data)] = []
    var names: Set<String> = []
    for request in order {
      let group = groups[request] ?? []
      let isSame = group.allSatisfy { $0.wireMockAnswer == group[0].wireMockAnswer }
      for (index, interaction) in (isSame ? Array(group.prefix(1)) : group).enumerated() {
        var name = interaction.id.replacing(#/[^A-Za-z0-9._-]/#, with: "-")
        // Recordings in different folders may have the same name.
        if !names.insert(name).inserted {
          name = interaction.recording.replacing(#/[^A-Za-z0-9._-]/#, with: "-") + "-\(interaction.index + 1)"
          names.insert(name)
        }
        let step = isSame ? nil : (index: index, isLast: index == group.count - 1)
        let (mapping, file) = interaction.wireMockStub(request, named: name, step: step)
        stubs.append((name, mapping))
        if let file { files.append(file) }
        if interaction.events != nil, interaction.isPieced {
          interactions.omit(
            interaction, "exported without its chunks and pauses: WireMock sends a body as a whole")
        }
      }
    }
    let mappings = stubs.map { stub in
      (path: "mappings/\(stub.name).json", contents: Data(RecordingExport.text(of: stub.mapping).utf8))
    }
    return RecordingExport(
      document: .members(["mappings": .array(stubs.map(\.mapping))]), files: mappings + files,
      omissions: interactions.omissions)
  }
}

extension RecordedInteraction {
  /// The bodies that are longer than this are files.
  private static let longestText = 1024

  /// The request pattern.
  fileprivate var wireMockRequest: JSONValue {
    // Named after their position, secrets of the client differ from those of the service.
    let own = Set(suppliedValues.filter { $0.value.hasPrefix("request ") }.keys)
    func pattern(_ text: RecordedText) -> JSONValue {
      text.pattern(of: own).map { .members(["matches": .string($0)]) }
        ?? .members(["equalTo": .string(text.text)])
    }
    let authorization = request.fields.first { $0.name.lowercased() == "authorization" }
    let target = target.pattern(of: own)
    // Not `urlPath` and `queryParameters`, which also match requests with further query items.
    return .members([
      "method": .string(method.rawValue), "url": target == nil ? .string(self.target.text) : nil,
      "urlPattern": target.map { .string($0) },
      "headers": .members([
        "Authorization": authorization.map { pattern($0.value) } ?? .members(["absent": .boolean(true)])
      ]),
      "bodyPatterns": wireMockBody(own),
    ])
  }

  private func wireMockBody(_ own: Set<String>) -> JSONValue? {
    switch request.body {
    case nil: return nil
    case .base64(let text)?: return .array([.members(["binaryEqualTo": .string(text)])])
    case .text(let text)?:
      // The boundary of a form with files differs from run to run.
      if request.mediaType == "multipart/form-data" { return nil }
      let pattern = RecordedText(text).pattern(of: own)
      return .array([
        pattern.map { .members(["matches": .string("(?s)" + $0)]) } ?? .members(["equalTo": .string(text)])
      ])
    case .json(let value)?:
      // An expression of JsonUnit matches any text, also in place of a part of one.
      return .array([.members(["equalToJson": .string(value.replacingSecrets(own).compactText)])])
    }
  }

  /// The response, without a reference to a file.
  fileprivate var wireMockAnswer: JSONValue {
    .members([
      "status": .number("\(status)"), "headers": wireMockHeaders,
      "body": response.body?.value,
    ])
  }

  /// The fields; those of the same name are a list.
  private var wireMockHeaders: JSONValue? {
    var members: [JSONValue.Member] = []
    for field in response.fields {
      let value = JSONValue.string(field.value.text)
      if let last = members.last, last.name.lowercased() == field.name.lowercased() {
        let values: [JSONValue] = if case .array(let values) = last.value { values } else { [last.value] }
        members[members.count - 1] = .init(last.name, .array(values + [value]))
      } else {
        members.append(.init(field.name, value))
      }
    }
    return .unlessEmpty(members)
  }

  /// Returns the stub, and the file of its body, if it has one.
  fileprivate func wireMockStub(
    _ request: JSONValue, named name: String, step: (index: Int, isLast: Bool)?
  ) -> (mapping: JSONValue, file: (path: String, contents: Data)?) {
    var answer: [JSONValue.Member] = [.init("status", .number("\(status)"))]
    if let headers = wireMockHeaders { answer.append(.init("headers", headers)) }
    var file: (path: String, contents: Data)?
    func addFile(_ contents: Data) {
      let fileName = "\(name).\(fileExtension)"
      file = ("__files/\(fileName)", contents)
      answer.append(.init("bodyFileName", .string(fileName)))
    }
    switch response.body {
    case nil: break
    case .json(let value)? where value.compactText.utf8.count <= Self.longestText:
      answer.append(.init("jsonBody", value))
    case .json(let value)?: addFile(Data(value.compactText.utf8))
    case .text(let text)? where text.utf8.count <= Self.longestText:
      answer.append(.init("body", .string(text)))
    case .text(let text)?: addFile(Data(text.utf8))
    case .base64(let text)?: addFile(Data(base64Encoded: text) ?? Data())
    }
    let scenario = step == nil ? nil : "\(recording): \(method) \(path.text)"
    let mapping = JSONValue.members([
      "name": .string(title), "request": request, "response": .object(answer),
      "scenarioName": scenario.map { .string($0) },
      // The name of the first state is WireMock's own.
      "requiredScenarioState": step.map { .string($0.index == 0 ? "Started" : "\($0.index + 1)") },
      "newScenarioState": step.flatMap { $0.isLast ? nil : .string("\($0.index + 2)") },
    ])
    return (mapping, file)
  }

  private var fileExtension: String {
    switch response.mediaType {
    case let type where type.hasSuffix("json"): "json"
    case "text/html": "html"
    case let type where type.hasSuffix("xml"): "xml"
    case "image/png": "png"
    case "image/jpeg": "jpg"
    case let type where type.hasPrefix("text/"): "txt"
    default: "bin"
    }
  }
}

extension JSONValue {
  /// Returns the value with JsonUnit's expression for any text in place of texts with these placeholders.
  fileprivate func replacingSecrets(_ placeholders: Set<String>) -> JSONValue {
    switch self {
    case .string(let text):
      RecordedText(text).pattern(of: placeholders) == nil ? self : .string("${json-unit.any-string}")
    case .array(let elements): .array(elements.map { $0.replacingSecrets(placeholders) })
    case .object(let members):
      .object(members.map { .init($0.name, $0.value.replacingSecrets(placeholders)) })
    default: self
    }
  }
}
