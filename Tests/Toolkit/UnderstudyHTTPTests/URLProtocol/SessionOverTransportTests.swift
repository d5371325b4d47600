import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session over a transport is used like any other.
@Suite(.stallLimit()) struct SessionOverTransportTests {
  private let url = URL(string: "https://api.test/items?a=b%20c") ?? URL(fileURLWithPath: "/")
  private let chunks = ["one ", "two ", "three"]

  private func session(
    _ transport: any HTTPTransport, delegate: (any URLSessionDelegate)? = nil
  ) -> URLSession {
    URLSession(configuration: .over(transport), delegate: delegate, delegateQueue: nil)
  }

  private var inChunks: ScriptedTransport {
    ScriptedTransport(
      HTTP.Response(
        status: 201, fields: ["X-A": "1", "x-a": "2", "Content-Type": "text/plain"],
        body: HTTP.Body(chunks: chunks.map { Data($0.utf8) })))
  }

  // MARK: Kinds of tasks

  @Test func dataOfSeveralChunks() async throws {
    let (data, response) = try await session(inChunks).data(for: URLRequest(url: url))
    #expect(String(decoding: data, as: UTF8.self) == chunks.joined())
    let head = try #require(response as? HTTPURLResponse)
    #expect(head.statusCode == 201)
    #expect(head.value(forHTTPHeaderField: "x-a") == "1, 2")
    #expect(head.mimeType == "text/plain")
    #expect(head.url == url)
  }

  @Test(arguments: [true, false]) func completionHandler(besideADelegate: Bool) async throws {
    let session = session(inChunks, delegate: besideADelegate ? SessionWitness() : nil)
    let result: (Data?, Int?, (any Error)?) = await withCheckedContinuation { continuation in
      session.dataTask(with: url) { data, response, error in
        continuation.resume(returning: (data, (response as? HTTPURLResponse)?.statusCode, error))
      }.resume()
    }
    #expect(result.0 == Data(chunks.joined().utf8))
    #expect(result.1 == 201)
    #expect(result.2 == nil)
  }

  @Test func aDelegateGetsEachChunkBeforeTheNextIsSent() async throws {
    let feed = Feed()
    let witness = SessionWitness()
    let session = session(ScriptedTransport(HTTP.Response(status: 200, body: feed.body)), delegate: witness)
    session.dataTask(with: url).resume()
    var events: [SessionWitness.Event] = []
    var rest = chunks
    for await event in witness.events {
      events.append(event)
      if case .end = event { break }
      if rest.isEmpty { feed.end() } else { feed.send(rest.removeFirst()) }
    }
    #expect(events == [.status(200)] + chunks.map { .chunk($0) } + [.end(nil)])
  }

  @Test func emptyBodies() async throws {
    for status in [200, 204, 304] {
      let transport = ScriptedTransport(HTTP.Response(status: status))
      let (data, response) = try await session(transport).data(for: URLRequest(url: url))
      #expect(data.isEmpty)
      #expect((response as? HTTPURLResponse)?.statusCode == status)
    }
  }

  @Test(arguments: ["data", "file", "stream", "body"]) func uploads(route: String) async throws {
    let transport = ScriptedTransport(HTTP.Response(status: 204))
    let session = session(transport)
    let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    request.setValue("yes", forHTTPHeaderField: "X-Asked")
    switch route {
    case "data": _ = try await session.upload(for: request, from: body)
    case "file":
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
      try body.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      _ = try await session.upload(for: request, fromFile: file)
    case "stream":
      request.httpBodyStream = InputStream(data: body)
      _ = try await session.data(for: request)
    default:
      request.httpBody = body
      _ = try await session.data(for: request)
    }
    let sent = try #require(transport.requests.first)
    #expect(sent.body == body)
    #expect(sent.method == .put)
    #expect(sent.url == url)
    #expect(sent.fields["x-asked"] == "yes")
  }

  @Test func aMissingBodyStaysMissing() async throws {
    let transport = ScriptedTransport(HTTP.Response(status: 204))
    _ = try await session(transport).data(for: URLRequest(url: url))
    #expect(transport.requests.map(\.body) == [nil])
    #expect(transport.requests.map(\.method) == [.get])
  }

  #if canImport(FoundationNetworking)
    @Test func unsupportedTasksFailAtOnce() async throws {
      let transport = inChunks
      let session = session(transport)
      let error = await urlError { _ = try await session.download(for: URLRequest(url: url)) }
      #expect(error?.code == .unsupportedURL)
      let witness = SessionWitness()
      let other = self.session(transport, delegate: witness)
      other.uploadTask(withStreamedRequest: URLRequest(url: url)).resume()
      for await event in witness.events { #expect(event == .end(.unsupportedURL)) }
      #expect(transport.requests.isEmpty)
    }
  #else
    @Test func downloads() async throws {
      let (file, _) = try await session(inChunks).download(for: URLRequest(url: url))
      #expect(try Data(contentsOf: file) == Data(chunks.joined().utf8))
    }

    @Test func bytes() async throws {
      let (bytes, _) = try await session(inChunks).bytes(for: URLRequest(url: url))
      var all = Data()
      for try await byte in bytes { all.append(byte) }
      #expect(all == Data(chunks.joined().utf8))
    }
  #endif

  // MARK: Settings that the transport receives

  @Test(arguments: [
    (7.5, Duration.seconds(7.5)), (0, .zero), (-1, .zero), (.infinity, nil), (1e300, nil), (.nan, nil),
  ])
  func timeouts(seconds: Double, expected: Duration?) {
    var request = URLRequest(url: url)
    request.timeoutInterval = seconds
    #expect(HTTP.Request(request)?.timeout == expected)
  }

  @Test func fieldsOfTheConfiguration() async throws {
    let base = URLSessionConfiguration.ephemeral
    base.httpAdditionalHeaders = ["X-Both": "configuration", "X-Key": "k"]
    let transport = ScriptedTransport(HTTP.Response(status: 204))
    var request = URLRequest(url: url)
    request.setValue("request", forHTTPHeaderField: "x-both")
    _ = try await URLSession(configuration: .over(transport, basedOn: base)).data(for: request)
    let sent = try #require(transport.requests.first)
    #expect(sent.fields.values(of: "X-Both") == ["request"])
    #expect(sent.fields["X-Key"] == "k")
  }

  // MARK: Answers that URLSession would handle itself

  @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsAResponse(status: Int) async throws {
    let transport = ScriptedTransport(
      HTTP.Response(
        status: status, fields: ["Location": "https://b.test/"], body: HTTP.Body(Data("moved".utf8))))
    let (data, response) = try await session(transport).data(for: URLRequest(url: url))
    #expect((response as? HTTPURLResponse)?.statusCode == status)
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Location") == "https://b.test/")
    #expect(data == Data("moved".utf8))
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer"], [true, false])
  func a401IsAResponse(challenge: String, toADelegate: Bool) async throws {
    let transport = ScriptedTransport(
      HTTP.Response(status: 401, fields: ["WWW-Authenticate": challenge], body: HTTP.Body(Data("no".utf8))))
    if toADelegate {
      let witness = SessionWitness()
      session(transport, delegate: witness).dataTask(with: url).resume()
      var events: [SessionWitness.Event] = []
      for await event in witness.events { events.append(event) }
      #expect(events == [.status(401), .chunk("no"), .end(nil)])
    } else {
      let (data, response) = try await session(transport).data(for: URLRequest(url: url))
      #expect((response as? HTTPURLResponse)?.statusCode == 401)
      #expect(data == Data("no".utf8))
    }
  }

  #if canImport(FoundationNetworking)
    /// Without its queue a protocol would still work, but race with other tasks of the session.
    @Test func theQueueOfATaskIsFound() {
      #expect(session(inChunks).dataTask(with: url).reflectedQueue != nil)
    }

    @Test func aSuspendedTaskStartsAgain() async throws {
      let (first, feed, witness) = (Latch(), Feed(), SessionWitness())
      let calls = Locked(0)
      let transport = ScriptedTransport { _ in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        if call > 1 { return HTTP.Response(status: 200, body: feed.body) }
        first.open()
        await Latch().wait()
        return HTTP.Response(status: 500)
      }
      let task = session(transport, delegate: witness).dataTask(with: url)
      task.resume()
      await first.wait()
      task.suspend()
      task.resume()
      feed.send("second")
      feed.end()
      var events: [SessionWitness.Event] = []
      for await event in witness.events { events.append(event) }
      #expect(events == [.status(200), .chunk("second"), .end(nil)])
    }
  #endif
}
