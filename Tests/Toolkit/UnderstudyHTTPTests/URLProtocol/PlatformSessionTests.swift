import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting
import UnderstudyTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What URLSession does where Linux cannot show what Apple's does; `.ci/first-mac` runs these tests on a Mac.
///
/// A line that begins with `measured:` is for its table.
@Suite(.stallLimit()) struct PlatformSessionTests {
  private static let hello = Data("Hello".utf8)

  /// Answers with a first chunk, and ends when the client has received it.
  private static func server(
    _ fields: HTTP.Fields, until received: Latch
  ) async throws -> MockServer<Handler> {
    let isFirst = Locked<Void?>(())
    return try await MockServer(
      Handler { _ in
        HTTP.Response(
          status: 200, fields: fields,
          body: HTTP.Body(unfolding: {
            if isFirst.withLock({ $0.take() }) != nil { return hello }
            await received.wait()
            return nil
          }))
      })
  }

  /// Catches a transport whose session waits for 512 bytes of a text, to find out its type.
  @Test(arguments: ["text/plain", "text/html", "application/octet-stream", nil])
  func aFirstChunkArrivesAtOnce(_ type: String?) async throws {
    let received = Latch()
    let server = try await Self.server(type.map { ["Content-Type": $0] } ?? [:], until: received)
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url))
    var chunks: [Data] = []
    for try await chunk in response.body {
      chunks.append(chunk)
      received.open()
    }
    #expect(chunks == [Self.hello])
    await server.close()
  }

  /// Catches a client that is called after its load was stopped, or on another thread than the load's, which crashes.
  @Test func loadsAreCancelledAtEachMoment() async throws {
    let transport = ScriptedTransport(
      HTTP.Response(status: 200, body: HTTP.Body(chunks: (0..<8).map { Data("\($0)".utf8) })))
    let session = URLSession(configuration: .over(transport))
    let url = try #require(URL(string: "http://loads.test/"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for number in 0..<Effort.times(100) {
            // Not data(for:), with which Foundation on Linux can lock up if a task is cancelled while it ends.
            let ends = AsyncStream<Data?>.makeStream()
            let loading = session.dataTask(with: url) { data, _, error in
              ends.continuation.yield(error == nil ? data : nil)
              ends.continuation.finish()
            }
            loading.resume()
            for _ in 0..<number % 13 { await Task.yield() }
            loading.cancel()
            for await case let data? in ends.stream { #expect(data == Data("01234567".utf8)) }
          }
        }
      }
      try await group.waitForAll()
    }
    session.invalidateAndCancel()
  }

  /// Catches a lost connection that is reported as an answer that cannot be read.
  @Test(arguments: [Fault.connectionLost, .emptyReply, .truncatedBody(afterBytes: 3)])
  func aLostConnectionIsReportedAsOne(_ fault: Fault) async throws {
    let server = try await MockServer(Handler { _ in text("Hello") }, faults: .on(.any, fault))
    let found = await code { _ = try await URLSessionTransport().data(for: HTTP.Request(.get, server.url)) }
    #expect(found == .connectionLost)
    await server.close()
  }

  /// Catches an upload whose body is silently left out.
  @Test func anUploadFromAStreamIsReadOrRefused() async throws {
    let transport = ScriptedTransport(HTTP.Response(status: 204))
    let delegate = StreamedUpload(Self.hello)
    let session = URLSession(configuration: .over(transport), delegate: delegate, delegateQueue: nil)
    var request = URLRequest(url: try #require(URL(string: "http://uploads.test/")))
    request.httpMethod = "PUT"
    session.uploadTask(withStreamedRequest: request).resume()
    let error = await delegate.ending()
    let bodies = transport.requests.map(\.body)
    print("measured: an upload from a stream: \(bodies), \(error.map { "\($0)" } ?? "no error")")
    #expect(error == .unsupportedURL ? bodies.isEmpty : bodies == [Self.hello])
    session.invalidateAndCancel()
  }

  /// How often a handler is called that closes a connection, used before, without an answer.
  ///
  /// No number is expected: with a fault of a plan, the server closes a connection before it could be used again.
  @Test(arguments: [HTTP.Method.get, .post]) func howOftenALostRequestIsRepeated(_ method: HTTP.Method)
    async throws
  {
    let requests = Locked(0)
    let server = try await MockServer(
      Handler { request in
        guard request.url.path() == "/lost" else { return text("Hello") }
        requests.withLock { $0 += 1 }
        throw TransportError(.connectionLost, "It is lost.")
      })
    let transport = URLSessionTransport()
    _ = try await transport.data(for: HTTP.Request(.get, server.url))
    let found = await code {
      _ = try await transport.data(for: HTTP.Request(method, server.url.appending(path: "lost")))
    }
    #expect(found == .connectionLost)
    print(
      "measured: a lost \(method) on a connection that was used before: sent \(requests.withLock { $0 }) times"
    )
    await server.close()
  }

  /// Whether a session retains the values of a dictionary in its configuration.
  ///
  /// Nothing is expected.
  @Test func whetherASessionRetainsTheValuesOfItsProxies() throws {
    final class Value: Sendable {}
    weak var value: Value?
    let session: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      let retained = Value()
      value = retained
      configuration.connectionProxyDictionary = ["org.understudy.test": retained]
      return URLSession(configuration: configuration)
    }()
    print("measured: a session retains the values of its proxies: \(value != nil)")
    session.invalidateAndCancel()
  }
}

/// A delegate that provides the body of an upload.
private final class StreamedUpload: NSObject, URLSessionTaskDelegate, Sendable {
  private let body: Data
  private let ends = AsyncStream<URLError.Code?>.makeStream()

  init(_ body: Data) {
    self.body = body
  }

  /// The code of the error with which the task ends, if any.
  func ending() async -> URLError.Code? {
    for await end in ends.stream { return end }
    return nil
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    completionHandler(InputStream(data: body))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ends.continuation.yield((error as? URLError)?.code)
    ends.continuation.finish()
  }
}

private func text(_ text: String) -> HTTP.Response {
  HTTP.Response(status: 200, body: Data(text.utf8), contentType: "application/json")
}
