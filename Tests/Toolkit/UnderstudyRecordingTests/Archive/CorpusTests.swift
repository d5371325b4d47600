import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

/// Files of other tools, which are not part of the package.
@Suite(.stallLimit()) struct CorpusTests {
  private static let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CORPUS"].map {
    URL(filePath: $0)
  }

  private static func files(_ kind: String) -> [URL] {
    guard let folder else { return [] }
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "har/\(kind)"), includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "har" }.sorted { $0.path < $1.path }
  }

  private static let isThere = ConditionTrait.enabled(
    if: folder != nil, "Set UNDERSTUDY_CORPUS to a folder with har/wellformed and har/malformed.")

  @Test(Self.isThere) func theCorpusHasFiles() {
    #expect(!Self.files("wellformed").isEmpty)
    #expect(!Self.files("malformed").isEmpty)
  }

  @Test(Self.isThere, arguments: Effort.some(of: files("wellformed"), every: 3)) func keepsEverything(
    _ file: URL
  ) throws {
    let archive = try HTTPArchive(contentsOf: file)
    #expect(!archive.entries.isEmpty)
    let data = archive.data
    #expect(try HTTPArchive(data) == archive)
    // Slow for the largest of them.
    if Effort.isFull || data.count < 100_000 {
      #expect(try foundation(data) == foundation(Data(contentsOf: file)), "another reader agrees")
    }
  }

  @Test(Self.isThere, arguments: Effort.some(of: files("wellformed"), every: 3))
  func decodesEveryEntryByItself(_ file: URL) throws {
    let (archive, indexed) = (try HTTPArchive(contentsOf: file), try IndexedArchive(contentsOf: file))
    #expect((0..<indexed.entryCount).map(indexed.entry) == archive.entries)
    #expect((0..<indexed.entryCount).map(indexed.request) == archive.entries.map(\.request))
    let inMemory = IndexedArchive(archive)
    #expect(
      (0..<indexed.entryCount).map(indexed.requestHash) == (0..<indexed.entryCount).map(inMemory.requestHash))
    #expect(indexed.log == inMemory.log)
  }

  /// The document as parsed by Foundation, without a byte order mark, which it does not support on every platform.
  private func foundation(_ data: Data) throws -> NSDictionary? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
    return try JSONSerialization.jsonObject(with: text) as? NSDictionary
  }

  @Test(Self.isThere, arguments: Effort.some(of: files("wellformed"), every: 3)) func replaysEveryExchange(
    _ file: URL
  ) async throws {
    let archive = try HTTPArchive(contentsOf: file)
    let replay = ReplayingTransport(archive)
    for (number, entry) in archive.entries.enumerated() {
      let request = try #require(HTTP.Request(entry.request), "\(number): \(entry.request.url)")
      if entry.isWebSocket {
        let socket = try await replay.connect(to: request)
        for message in entry.webSocketMessages {
          let expected = try #require(message.message)
          switch message.direction {
          case .send: try await socket.send(expected)
          case .receive: #expect(try await socket.receive() == expected, "entry \(number)")
          case nil: Issue.record("A message of entry \(number) has no direction.")
          }
        }
        #expect(try await socket.receive() == nil)
        #expect(socket.closure == WebSocketClosure(.normalClosure), "mitmproxy does not record how it ended")
      } else if let expected = entry.response.failure {
        let failure = await replay.failure(of: request)
        #expect(failure?.code == expected.code && failure?.message == expected.message, "entry \(number)")
      } else {
        let (body, response) = try await replay.data(for: request)
        #expect(response.status == entry.response.status, "entry \(number)")
        #expect(response.fields == HTTP.Fields(recorded: entry.response.headers), "entry \(number)")
        #expect(body == entry.response.content.body, "entry \(number)")
        #expect(body.isEmpty == (entry.response.content.text ?? "").isEmpty, "entry \(number)")
      }
    }
    #expect(replay.unusedEntries.isEmpty && replay.unusedMessages.isEmpty)
  }

  @Test(Self.isThere, arguments: files("malformed")) func errorsHaveTheirPosition(_ file: URL) throws {
    let error = #expect(throws: RecordingError.self) { try HTTPArchive(contentsOf: file) }
    let places: [String: String] = [
      "brokenfile.har": "line 5, byte 22:", "cut-off.har": "line 1, byte 148:",
      "not-an-object.har": "line 1, byte 0: the document:",
      "wrong-types.har": "line 1, byte 155: log.entries[0].request.url:",
    ]
    let place = try #require(places[file.lastPathComponent], "a new file needs its place in this table")
    #expect("\(try #require(error))".contains(place))
    let indexed = #expect(throws: RecordingError.self) { try IndexedArchive(contentsOf: file) }
    #expect(try #require(indexed).description == #require(error).description)
  }
}
