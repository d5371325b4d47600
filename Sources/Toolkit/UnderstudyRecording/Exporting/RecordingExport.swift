package import Foundation
package import UnderstudyHTTP
import UnderstudyText

/// A recording and the name of its clause.
package struct NamedRecording: Sendable {
  /// The name, `<contract>/<clause>`.
  package let name: String
  /// The recorded exchanges.
  package let archive: HTTPArchive

  /// Creates a recording with a name.
  package init(_ name: String, _ archive: HTTPArchive) {
    self.name = name
    self.archive = archive
  }

  /// Reads a file, or all `.har` files in a folder and its subfolders, sorted by name.
  ///
  /// The name of a recording consists of its folder's name and its file's name.
  ///
  /// - Throws: `RecordingError` with the file that cannot be read.
  package static func all(at url: URL) throws(RecordingError) -> [NamedRecording] {
    var recordings: [NamedRecording] = []
    for file in files(at: url) {
      let file = file.standardizedFileURL
      let folder = file.deletingLastPathComponent().lastPathComponent
      let name = "\(folder)/\(file.deletingPathExtension().lastPathComponent)"
      recordings.append(NamedRecording(name, try HTTPArchive(recordingAt: file)))
    }
    return recordings
  }

  private static func files(at url: URL) -> [URL] {
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [url]
    }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".har") }.sorted().map { url.appending(path: $0) }
  }
}

/// An export of recordings to a format of other tools, with a list of omissions.
///
/// Equal exchanges are exported once, each with the fewest preceding exchanges. Equal recordings always produce equal
/// text.
///
/// ```swift
/// let recordings = try NamedRecording.all(at: URL(filePath: "Recordings/children"))
/// let export = RecordingExport.pact(of: recordings, consumer: "app", provider: "children")
/// try export.text.write(toFile: "app-children.json", atomically: true, encoding: .utf8)
/// for omission in export.omissions { print(omission) }
/// ```
package struct RecordingExport: Sendable {
  /// A part of a recording that the format does not support.
  package struct Omission: Sendable, Hashable, CustomStringConvertible {
    /// The name of the recording, `<contract>/<clause>`.
    package let recording: String
    /// The number of the exchange in the recording, from 1.
    package let exchange: Int
    /// The omission and its reason, such as `left out: it is a WebSocket`.
    package let problem: String

    /// The recording, the exchange and the problem, in one line.
    package var description: String { "\(recording), exchange \(exchange) is \(problem)" }
  }

  /// The document.
  package let document: JSONValue
  /// The files beside it, by their paths; empty for a format of one document.
  package var files: [(path: String, contents: Data)] = []
  /// The omissions, in the order of the recordings.
  package let omissions: [Omission]

  /// The document as a text file: JSON with one line for each member, and a final line break.
  package var text: String { Self.text(of: document) }

  static func text(of document: JSONValue) -> String {
    var bytes: [UInt8] = []
    document.writeIndented(into: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  /// Returns the service of a recording, which is the first part of its name.
  package static func service(of recording: String) -> String {
    String(recording.split(separator: "/").first ?? "")
  }
}

/// The exchanges of recordings that can be exported, without duplicates.
struct RecordedInteractions {
  private(set) var all: [RecordedInteraction] = []
  var omissions: [RecordingExport.Omission] = []

  /// Collects the exchanges.
  ///
  /// - Parameter keepsRepetitions: Whether equal exchanges of a recording are kept, in their order.
  init(of recordings: [NamedRecording], keepsRepetitions: Bool = false) {
    guard !keepsRepetitions else {
      for recording in recordings { all += interactions(of: recording) }
      return
    }
    var places: [String: Int] = [:]
    for recording in recordings {
      for interaction in interactions(of: recording) {
        let identity = interaction.identity
        if let place = places[identity] {
          if interaction.effort < all[place].effort { all[place] = interaction }
        } else {
          places[identity] = all.count
          all.append(interaction)
        }
      }
    }
  }

  mutating func omit(_ interaction: RecordedInteraction, _ problem: String) {
    omissions.append(
      .init(recording: interaction.recording, exchange: interaction.index + 1, problem: problem))
  }

  private mutating func interactions(of recording: NamedRecording) -> [RecordedInteraction] {
    let log = recording.archive.log
    var variability = Variability(moment: log.startedDateTime)
    // Secrets of the client are named after their position, all other values after the recorded value.
    var supplied = log.placeholders.reduce(into: [String: String]()) { names, placeholder in
      names[placeholder.key] =
        placeholder.value.hasPrefix("request ") ? placeholder.value : placeholder.key
    }
    var conditions: [RecordedInteraction.State] = []
    if case .object(let fixtures)? = log.fixtures {
      for fixture in fixtures {
        conditions.append(.init(name: fixture.name, parameters: .members(["fixtures": fixture.value])))
        variability.addDates(sentIn: fixture.value)
        for uuid in RecordedText(fixture.value.compactText).uuids { supplied[uuid] = uuid }
      }
    }
    var interactions: [RecordedInteraction] = []
    for (index, entry) in log.entries.enumerated() {
      let request = RecordedInteraction.Message(entry.request)
      if let body = request.body { variability.addDates(sentIn: body.value) }
      defer { for uuid in RecordedText(entry.response.content.text ?? "").uuids { supplied[uuid] = uuid } }
      let response = RecordedInteraction.Message(entry.response)
      let events: [HTTP.ServerSentEvent]?
      do throws(LeftOut) {
        events = try entry.events(of: response)
      } catch {
        omissions.append(
          .init(recording: recording.name, exchange: index + 1, problem: "left out: \(error.reason)"))
        continue
      }
      var states = conditions
      if index > 0 {
        let parameters = JSONValue.members([
          "recording": .string(recording.name), "exchanges": .number("\(index)"),
        ])
        states.append(.init(name: "earlier exchanges of the recording", parameters: parameters))
      }
      interactions.append(
        RecordedInteraction(
          recording: recording.name, index: index, states: states, method: entry.request.method,
          path: RecordedText(entry.request.encodedPath), target: RecordedText(entry.request.encodedTarget),
          query: entry.request.recordedQuery,
          request: request, status: entry.response.status, response: response, events: events,
          isOpen: entry.isUnfinished,
          isPieced: (entry.response.content.stream?.chunks.count ?? 0) > 1, variability: variability,
          suppliedValues: supplied))
    }
    return interactions
  }
}

extension RecordedInteraction.Message {
  /// Fields that concern the connection or the client instead of the service.
  private static let fieldsOfConnections: Set = [
    "accept-encoding", "connection", "content-encoding", "content-length", "date", "host", "keep-alive",
    "server", "set-cookie", "transfer-encoding", "user-agent",
  ]

  init(_ request: HTTPArchive.Request) {
    let data = request.postData
    self.init(request.headers, data?.body, encoded: data?.string("_encoding") == "base64" ? data?.text : nil)
  }

  init(_ response: HTTPArchive.Response) {
    let content = response.content
    self.init(
      response.headers, content.body, encoded: content.string("encoding") == "base64" ? content.text : nil)
  }

  private init(_ headers: [HTTPArchive.NamedValue], _ body: Data?, encoded: String?) {
    fields = headers.filter { !Self.fieldsOfConnections.contains($0.name.lowercased()) }
      .sorted { $0.name < $1.name }.map { ($0.name, RecordedText($0.value)) }
    guard let body, !body.isEmpty else { return }
    if let encoded {
      self.body = .base64(encoded)
    } else if contentType?.lowercased().contains("json") != false, let json = try? JSONValue(parsing: body) {
      self.body = .json(json)
    } else {
      self.body = .text(String(decoding: body, as: UTF8.self))
    }
  }
}

extension HTTPArchive.Request {
  fileprivate var encodedPath: String {
    URLComponents(string: url)?.percentEncodedPath ?? "/"
  }

  fileprivate var encodedTarget: String {
    let path = encodedPath.isEmpty ? "/" : encodedPath
    return path + (URLComponents(string: url)?.percentEncodedQuery.map { "?\($0)" } ?? "")
  }

  fileprivate var recordedQuery: [(name: String, values: [RecordedText])] {
    var query: [(name: String, values: [RecordedText])] = []
    for item in queryString {
      let value = RecordedText(item.value)
      if let place = query.firstIndex(where: { $0.name == item.name }) {
        query[place].values.append(value)
      } else {
        query.append((item.name, [value]))
      }
    }
    return query.sorted { $0.name < $1.name }
  }
}

/// The reason why a format does not support an exchange.
struct LeftOut: Error {
  let reason: String
}

extension HTTPArchive.Entry {
  fileprivate var isUnfinished: Bool {
    switch response.content.stream?.ending {
    case .unfinished?, .cutOff?: true
    case nil, .complete?, .failed?: false
    }
  }

  /// Returns the events of the response; `nil` if it is not an event stream.
  ///
  /// - Throws: `LeftOut` if a format of whole requests and responses cannot express the exchange.
  fileprivate func events(
    of message: RecordedInteraction.Message
  ) throws(LeftOut) -> [HTTP.ServerSentEvent]? {
    if isWebSocket { throw LeftOut(reason: "it is a WebSocket") }
    if response.failure != nil { throw LeftOut(reason: "it has no response") }
    switch response.content.stream?.ending {
    case nil, .complete?: break
    case .unfinished?:
      // An event stream that the client stopped reading is complete if it ends between two events.
      guard case .text(let text)? = message.body, text.hasSuffix("\n\n"),
        message.mediaType == "text/event-stream"
      else { throw LeftOut(reason: "the client stopped reading before the response was complete") }
    case .cutOff(let limit)?:
      throw LeftOut(reason: "its body was cut off at the limit of \(Words.bytes(limit))")
    case .failed(let error)?: throw LeftOut(reason: "its response was interrupted (\(error.code))")
    }
    if response.content.body == nil || request.postData.map({ $0.body == nil }) == true {
      throw LeftOut(reason: "a body is marked as base64 but is not valid base64")
    }
    if message.contentType?.lowercased().contains("json") == true, case .text? = message.body {
      throw LeftOut(reason: "its Content-Type is JSON, but its body is not")
    }
    do {
      return try message.events()
    } catch {
      throw LeftOut(reason: "its server-sent events cannot be read: \(error.message)")
    }
  }
}

extension JSONValue {
  /// Creates an object without members that are `nil`.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// Creates an object; `nil` if it has no members.
  static func unlessEmpty(_ members: [Member]) -> JSONValue? {
    members.isEmpty ? nil : .object(members)
  }
}
