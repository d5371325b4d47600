import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct RecordingTransportTests {
  private let events = ["data: a\n\n", "da", "ta: b\n\n"]

  /// Three chunks, the third after two seconds, followed by the end that the closure defines.
  private func stream(
    on time: Time = TestClock(.immediate).time, end: @escaping @Sendable () throws -> Void
  ) -> ScriptedTransport {
    ScriptedTransport { [events] _ in
      let position = Locked(0)
      return HTTP.Response(
        status: 200, fields: ["Content-Type": "text/event-stream"],
        body: HTTP.Body {
          let index = position.withLock { index in
            defer { index += 1 }
            return index
          }
          if index == 2 { try await time.sleep(for: .seconds(2)) }
          if index < events.count { return Data(events[index].utf8) }
          try await time.sleep(for: .milliseconds(250))
          try end()
          return nil
        })
    }
  }

  @Test(arguments: [TransportError.Code.connectionLost, .timedOut, .unreadableResponse])
  func anInterruptedStreamIsInterruptedAgain(_ code: TransportError.Code) async throws {
    let manual = TestClock(.immediate)
    let recorder = RecordingTransport(
      around: stream(on: manual.time) { throw TransportError(code, "It broke.") }, time: manual.time)
    let first = await ReadBody(try await recorder.send(.get("/events")).body)
    #expect(first.texts == events && first.failure == code)

    // Through the file, so that only its contents count.
    let archive = try HTTPArchive(recorder.recording.data)
    let content = try #require(archive.entries.first).response.content
    #expect(content.text == events.joined())
    #expect(content.stream?.chunks.map(\.time) == [0, 0, 2000])
    #expect(content.stream?.endTime == 2250)

    let again = await ReadBody(try await ReplayingTransport(archive).send(.get("/events")).body)
    #expect(again == first)
  }

  @Test func aRedactedBodyHasItsNewLength() async throws {
    let body = Data(#"{"access_token":"opensesame-opensesame"}"#.utf8)
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in
        HTTP.Response(status: 200, fields: ["Content-Length": "\(body.count)"], body: HTTP.Body(body))
      })
    _ = try await recorder.text(for: .get("/"))
    let response = try await ReplayingTransport(recorder.recording).send(.get("/"))
    let length = try await response.body.collect().count
    #expect(length < body.count)
    #expect(response.fields["Content-Length"] == "\(length)")
  }

  /// A server reads no more than the announced length.
  @Test func aReaderMayStopAtTheAnnouncedLength() async throws {
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in
        let chunks = Locked([Data("one".utf8), Data("two".utf8)][...])
        return HTTP.Response(
          status: 200, fields: ["Content-Length": "6"], body: HTTP.Body { chunks.withLock { $0.popFirst() } })
      })
    for count in [1, 2] {
      var reader = try await recorder.send(.get("/\(count)")).body.makeAsyncIterator()
      for _ in 0..<count { _ = try await reader.next() }
    }
    let endings = recorder.recording.entries.map { "\($0.response.content.stream?.ending ?? .complete)" }
    #expect(endings == ["unfinished", "complete"])
  }

  @Test func aCompleteStreamIsComplete() async throws {
    let recorder = RecordingTransport(around: stream {})
    _ = await ReadBody(try await recorder.send(.get("/events")).body)
    let again = await ReadBody(
      try await ReplayingTransport(recorder.recording).send(.get("/events")).body)
    #expect(again.texts == events && again.failure == nil)
  }

  @Test func pausesUseTheInjectedTime() async throws {
    let manual = TestClock(.immediate)
    let recorder = RecordingTransport(around: stream(on: manual.time) {}, time: manual.time)
    _ = await ReadBody(try await recorder.send(.get("/events")).body)

    let later = TestClock(.immediate)
    let replay = ReplayingTransport(recorder.recording, pauses: later.time)
    var moments: [Duration] = []
    for try await _ in try await replay.send(.get("/events")).body { moments.append(later.elapsed) }
    #expect(moments == [.zero, .zero, .seconds(2)])
    #expect(later.elapsed == .milliseconds(2250))
  }

  @Test func aPauseLongerThanTheTimeoutIsATimeout() async throws {
    let manual = TestClock(.immediate)
    let recorder = RecordingTransport(around: stream(on: manual.time) {}, time: manual.time)
    _ = await ReadBody(try await recorder.send(.get("/events")).body)
    let later = TestClock(.immediate)
    var request = try HTTP.Request.get("/events")
    request.timeout = .seconds(1)
    let replay = ReplayingTransport(recorder.recording, pauses: later.time)
    let read = await ReadBody(try await replay.send(request).body)
    #expect(read.texts == Array(events.prefix(2)) && read.failure == .timedOut)
  }

  @Test func aReaderThatStopsEarlyLeavesTheRestUnrecorded() async throws {
    let recorder = RecordingTransport(around: stream {})
    for try await _ in try await recorder.send(.get("/events")).body { break }
    let recording = recorder.recording
    guard case .unfinished = recording.entries.first?.response.content.stream?.ending else {
      return #expect(Bool(false), "the body was not read to its end")
    }
    let replay = ReplayingTransport(recording, repetition: .repeatsLast)
    for try await chunk in try await replay.send(.get("/events")).body {
      #expect(chunk == Data(events[0].utf8))
      break
    }
    let further = await ReadBody(try await replay.send(.get("/events")).body)
    #expect(
      further.texts == [events[0]] && further.failure == .unknown, "it does not end like a complete body")
  }

  @Test func recordingIncludesABodyThatIsStillRead() async throws {
    let recorder = RecordingTransport(around: stream {})
    var reader = try await recorder.send(.get("/events")).body.makeAsyncIterator()
    _ = try await reader.next()
    #expect(recorder.recording.entries.first?.response.content.text == events[0])
    _ = try await reader.next()
    #expect(recorder.recording.entries.first?.response.content.text == events[0] + events[1])
  }

  @Test(arguments: [
    TransportError.Code.cancelled, .timedOut, .offline, .hostNotFound, .connectionRefused, .connectionLost,
    .unreadableResponse, .untrusted, .tooManyRedirects, .invalidRequest, .bodyTooLarge, .unknown,
  ])
  func aRecordedErrorIsThrownAgain(_ code: TransportError.Code) async throws {
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in throw TransportError(code, "It says \(code).") })
    #expect(await recorder.failure(of: try .get("/")) != nil)
    let archive = try HTTPArchive(recorder.recording.data)
    let failure = await ReplayingTransport(archive).failure(of: try .get("/"))
    #expect(failure?.code == code && failure?.message == "It says \(code).")
  }

  @Test func binaryBodiesBothWays() async throws {
    let bytes = Data((0...255).map { UInt8($0) })
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        HTTP.Response(
          status: 200, fields: ["Set-Cookie": "a=1", "set-cookie": "b=2"],
          body: HTTP.Body(chunks: [request.body ?? Data(), Data([0xFF])]))
      }, redaction: .off)
    var request = try HTTP.Request.get("/upload")
    request.method = .put
    request.body = bytes
    _ = try await recorder.data(for: request)
    let replay = ReplayingTransport(try HTTPArchive(recorder.recording.data))
    let response = try await replay.send(request)
    #expect(await ReadBody(response.body).chunks == [bytes, Data([0xFF])])
    #expect(response.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
  }

  @Test func entriesAreInTheOrderOfTheirRequests() async throws {
    let gates = (0..<8).map { _ in Latch() }
    let sent = Locked(0)
    let allSent = Latch()
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        let number = sent.withLock { sent in
          defer { sent += 1 }
          return sent
        }
        if number == gates.count - 1 { allSent.open() }
        await gates[number].wait()
        return .json("\"\(request.url.path())\"")
      })
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in gates.indices {
        group.addTask { try await recorder.text(for: .get("/\(number)")) }
      }
      await allSent.wait()
      #expect(recorder.recording.entries.isEmpty, "nothing is answered yet")
      for gate in gates.reversed() {
        gate.open()
        _ = try await group.next()
      }
    }
    let archive = recorder.recording
    #expect(archive.entries.count == gates.count)
    let starts = archive.entries.compactMap(\.startedDateTime)
    #expect(starts == starts.sorted())
    // Every response is in the entry of its request, in any order of completion.
    for entry in archive.entries {
      let path = try #require(URL(string: entry.request.url)).path()
      #expect(entry.response.content.text == "\"\(path)\"")
    }
    let replay = ReplayingTransport(archive)
    let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in gates.indices.reversed() {
        group.addTask { (number, try await replay.text(for: .get("/\(number)"))) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    for number in gates.indices { #expect(answers[number] == "\"/\(number)\"") }
    #expect(replay.unusedEntries.isEmpty)
  }

  @Test func theFileHasTheDateAndTheSeed() async throws {
    let manual = TestClock(startingAt: Date(timeIntervalSince1970: 1_767_441_600.25))
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in .json("1") }, time: manual.time, seed: .max)
    recorder.fixtures = .object([.init("childID", .string("c1"))])
    _ = try await recorder.text(for: .get("/"))
    let folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a/b.har")
    try recorder.write(to: file)
    try recorder.write(to: file)
    let archive = try HTTPArchive(contentsOf: file)
    #expect(archive == recorder.recording)
    #expect(archive.log.seed == .max)
    #expect(archive.log.fixtures?["childID"] == .string("c1"))
    #expect(archive.log.startedDateTime == manual.now)
    let others = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
    #expect(others == ["b.har"], "nothing else is left behind")
  }
}

extension RecordingTransportTests {
  /// A byte order mark is a part of the body, in any chunk.
  @Test func byteOrderMarksStay() async throws {
    let chunks = [Data([0xEF, 0xBB, 0xBF] + "data: a\n\n".utf8), Data("data: b\n\n".utf8)]
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in HTTP.Response(status: 200, body: HTTP.Body(chunks: chunks)) })
    _ = try await recorder.data(for: .get("/"))
    let archive = try HTTPArchive(recorder.recording.data)
    let replayed = await ReadBody(try await ReplayingTransport(archive).send(.get("/")).body)
    #expect(replayed.chunks == chunks)
  }
}
