import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP
@testable import UnderstudyTransport
@testable import UnderstudyServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The errors of a session over a transport without a complete answer.
@Suite(.stallLimit()) struct SessionFailureTests {
  private let url = URL(string: "https://api.test/") ?? URL(fileURLWithPath: "/")

  private func session(_ transport: any HTTPTransport) -> URLSession {
    URLSession(configuration: .over(transport))
  }

  /// Each code, and whether Foundation has a separate one for it.
  static let codes: [(TransportError.Code, URLError.Code, Bool)] = [
    (.cancelled, .cancelled, true), (.timedOut, .timedOut, true), (.offline, .notConnectedToInternet, true),
    (.hostNotFound, .cannotFindHost, true), (.connectionRefused, .cannotConnectToHost, true),
    (.connectionLost, .networkConnectionLost, true), (.unreadableResponse, .cannotParseResponse, true),
    (.untrusted, .serverCertificateUntrusted, true), (.tooManyRedirects, .httpTooManyRedirects, true),
    (.invalidRequest, .badURL, true), (.bodyTooLarge, .dataLengthExceedsMaximum, true),
    (.webSocketRefused, .badServerResponse, false), (.unknown, .unknown, false),
  ]

  @Test(arguments: codes) func codesAreThoseOfFoundation(
    code: TransportError.Code, expected: URLError.Code, comesBack: Bool
  ) async throws {
    let transport = ScriptedTransport { _ in throw TransportError(code, "Said so.")
    }
    let session = session(transport)
    let error = try #require(await urlError { _ = try await session.data(for: URLRequest(url: url)) })
    #expect(error.code == expected)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? TransportError)?.code == code)
    #expect((error.userInfo[NSURLErrorFailingURLErrorKey] as? URL) == url)
    #expect(error.localizedDescription == "Said so.")
    let back = URLSessionFailure(error, url: url, fields: nil, received: 0)
    #expect((back.code == code) == comesBack)
  }

  @Test func chunksBeforeABreakAreDelivered() async throws {
    let witness = SessionWitness()
    let transport = ScriptedTransport(
      HTTP.Response(
        status: 200,
        body: HTTP.Body(chunks: [Data("a".utf8)], endingWith: TransportError(.connectionLost, "Cut."))))
    let session = URLSession(configuration: .over(transport), delegate: witness, delegateQueue: nil)
    session.dataTask(with: url).resume()
    var events: [SessionWitness.Event] = []
    for await event in witness.events { events.append(event) }
    #expect(events == [.status(200), .chunk("a"), .end(.networkConnectionLost)])
    let other = self.session(transport)
    #expect(
      await urlError { _ = try await other.data(for: URLRequest(url: url)) }?.code == .networkConnectionLost)
  }

  @Test(arguments: [-1, 0, 99, 1_000]) func anInvalidStatusDoesNotBlockTheSession(status: Int) async throws {
    let session = session(ScriptedTransport(HTTP.Response(status: status)))
    // Whether Foundation has a response for it or not.
    _ = try? await session.data(for: URLRequest(url: url))
  }

  // MARK: Cancellation

  @Test func cancellingATaskCancelsTheTransport() async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let session = session(ScriptedTransport.waiting(asked, cancelled: cancelled))
    let task = Task { [url] in try await session.data(for: URLRequest(url: url)) }
    await asked.wait()
    task.cancel()
    #expect(await urlError { _ = try await task.value }?.code == .cancelled)
    await cancelled.wait()
  }

  @Test func cancellingWithinABodyClosesIt() async throws {
    let (gone, witness) = (Latch(), SessionWitness())
    func transport() -> ScriptedTransport {
      let opener = gone.opener()
      let chunks = Locked([Data("a".utf8)])
      let body = HTTP.Body(unfolding: {
        opener.touch()
        if let chunk = chunks.withLock({ $0.popLast() }) { return chunk }
        await Latch().wait()
        try Task.checkCancellation()
        return nil
      })
      let untaken = Locked<HTTP.Body?>(body)
      return ScriptedTransport { _ in
        HTTP.Response(status: 200, body: untaken.withLock { $0.take() } ?? .empty)
      }
    }
    let session = URLSession(configuration: .over(transport()), delegate: witness, delegateQueue: nil)
    let task = session.dataTask(with: url)
    task.resume()
    var events: [SessionWitness.Event] = []
    for await event in witness.events {
      events.append(event)
      if event == .chunk("a") { task.cancel() }
    }
    #expect(events == [.status(200), .chunk("a"), .end(.cancelled)])
    await gone.wait()
  }

  @Test func invalidatingCancelsAll() async throws {
    let latches = (0..<3).map { _ in (asked: Latch(), cancelled: Latch()) }
    let number = Locked(0)
    let transport = ScriptedTransport { _ in
      let (asked, cancelled) = latches[
        number.withLock { number in
          defer { number += 1 }
          return number
        }]
      asked.open()
      await Latch().wait()
      cancelled.open()
      throw TransportError(.cancelled, "")
    }
    let session = session(transport)
    let tasks = latches.map { _ in Task { [url] in try await session.data(for: URLRequest(url: url)) } }
    for latch in latches { await latch.asked.wait() }
    session.invalidateAndCancel()
    for task in tasks {
      #expect(await urlError { _ = try await task.value }?.code == .cancelled)
    }
    for latch in latches { await latch.cancelled.wait() }
  }

  /// On Linux all sessions share one queue, on which cancelling another session's task would wait for itself.
  @Test func aTransportMayUseASession() async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let server = try await MockServer(
      Handler { request in
        if request.url.path == "/fast" { return HTTP.Response(status: 204) }
        asked.open()
        await Latch().wait()
        cancelled.open()
        throw CancellationError()
      })
    let session = session(URLSessionTransport())
    let (_, response) = try await session.data(from: server.url.appending(path: "fast"))
    #expect((response as? HTTPURLResponse)?.statusCode == 204)
    let task = Task { try await session.data(from: server.url.appending(path: "slow")) }
    await asked.wait()
    task.cancel()
    #expect(await urlError { _ = try await task.value }?.code == .cancelled)
    await cancelled.wait()
    await server.close()
  }

  @Test func aBodyThatNeverArrivesCanBeCancelled() async throws {
    let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID())").path
    try #require(mkfifo(pipe, 0o600) == 0)
    defer {
      // Releases the thread that waits for a writer.
      close(open(pipe, O_RDWR | O_NONBLOCK))
      unlink(pipe)
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(fileAtPath: pipe)
    let transport = ScriptedTransport(HTTP.Response(status: 204))
    let session = session(transport)
    let task = Task { [request] in try await session.data(for: request) }
    task.cancel()
    #expect(await urlError { _ = try await task.value }?.code == .cancelled)
    let reading = Task { [request] in
      do { _ = try await RequestBody.stream.bytes(of: request) } catch { return error is CancellationError }
      return false
    }
    reading.cancel()
    #expect(await reading.value)
    #expect(transport.requests.isEmpty)
  }
}
