import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyRecording
import UnderstudyTesting

/// The events on a real socket are the same in a replay of the file.
@Suite(.stallLimit()) struct RecordedOverSocketTests {
  private struct Events: HTTPHandler {
    /// Two events per chunk, each sent after the client has read the previous one.
    let reads: AsyncStream<Void>

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      let position = Locked(0)
      return HTTP.Response(
        status: 200, fields: ["Content-Type": "text/event-stream"],
        body: HTTP.Body(unfolding: {
          let number = position.withLock { number in
            defer { number += 1 }
            return number
          }
          for await _ in reads { break }
          return number < 9 ? Data("data: \(number)\n\ndata: \(number)é\n\n".utf8) : nil
        }))
    }
  }

  /// The chunks of a body, each of which signals the server when it has been read.
  private func read(_ body: HTTP.Body, announcingTo continuation: AsyncStream<Void>.Continuation?) async
    -> ReadBody
  {
    var seen = await ReadBody(.empty)
    continuation?.yield()
    do {
      for try await chunk in body {
        seen.chunks.append(chunk)
        continuation?.yield()
      }
    } catch {
      seen.failure = TransportError(wrapping: error).code
      seen.message = TransportError(wrapping: error).message
    }
    return seen
  }

  @Test(arguments: [
    Fault.dropStream(afterEvents: 7), .resetInBody(afterBytes: 100), .truncatedChunk(afterBytes: 100),
  ])
  func aDropInTheMiddleOfAStream(_ fault: Fault) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("events.har")
    let (reads, continuation) = AsyncStream<Void>.makeStream()
    let server = try await MockServer(Events(reads: reads), faults: .on(.get("/events"), fault))
    let recorder = try RecordingTransport(around: URLSessionTransport(), into: file)
    let url = server.url.appending(path: "events")
    let first = await read(try await recorder.send(HTTP.Request(.get, url)).body, announcingTo: continuation)
    #expect(first.failure == .connectionLost || first.failure == .unreadableResponse)
    #expect(first.chunks.count > 1)
    await server.close()
    try recorder.finish()

    let manual = TestClock(.immediate)
    let archive = try IndexedArchive(contentsOf: file)
    for pauses in [nil, manual.time] {
      let replay = ReplayingTransport(archive, pauses: pauses)
      let again = await read(try await replay.send(HTTP.Request(.get, url)).body, announcingTo: nil)
      #expect(again == first)
    }
    let stream = try #require(archive.entry(at: 0).response.content.stream)
    #expect(stream.chunks.count == first.chunks.count)
  }

  @Test func aWebSocketInBothDirections() async throws {
    struct Shouting: HTTPHandler {
      func respond(to request: HTTP.Request) async throws -> HTTP.Response {
        .webSocket { socket in
          try await socket.send(.text("welcome"))
          while let message = try await socket.receive() {
            guard case .text(let text) = message else {
              try await socket.send(message)
              continue
            }
            if text == "bye" { return await socket.close(WebSocketClosure(.goingAway, "bye")) }
            try await socket.send(.text(text.uppercased()))
          }
        }
      }
    }

    /// The events of a client that sends two messages and a close frame.
    func talk(over transport: some WebSocketTransport, _ url: URL) async throws -> [String] {
      let socket = try await transport.connect(to: HTTP.Request(.get, url))
      var seen = ["\(String(describing: try await socket.receive()))"]
      for message in [WebSocketMessage.text("one"), .binary(Data([0, 255])), .text("bye")] {
        try await socket.send(message)
        seen.append("\(String(describing: try await socket.receive()))")
      }
      return seen + ["\(String(describing: socket.closure))"]
    }

    let folder = try TemporaryFolder()
    let file = folder.file("socket.har")
    let server = try await MockServer(Shouting())
    let recorder = try RecordingTransport(around: URLSessionTransport(), into: file)
    let first = try await talk(over: recorder, server.url)
    await server.close()
    try recorder.finish()
    #expect(first.last?.contains("bye") == true && first.count == 5)

    let archive = try IndexedArchive(contentsOf: file)
    #expect(
      archive.entry(at: 0).webSocketMessages.map(\.direction) == [
        .receive, .send, .receive, .send, .receive, .send,
      ])
    #expect(try await talk(over: ReplayingTransport(archive), server.url) == first)
    // The same for a client on a socket.
    let again = try await MockServer(ReplayHandler(archive))
    #expect(try await talk(over: URLSessionTransport(), again.url) == first)
    await again.close()
  }
}
