import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP

@Suite(.stallLimit()) struct InProcessTransportTests {
  private func request(
    _ method: HTTP.Method = .get, timeout: Duration? = .seconds(30)
  ) throws -> HTTP.Request {
    HTTP.Request(method, try #require(URL(string: "https://example.org/a")), timeout: timeout)
  }

  @Test func theHandlerReceivesTheRequestAndItsAnswerIsReturned() async throws {
    let transport = InProcessTransport(
      to: Handler { request in
        HTTP.Response(
          status: 201, fields: ["X-Method": request.method.rawValue], body: request.body ?? Data(),
          contentType: "text/plain")
      })
    var request = try request(.post)
    request.body = Data("hello".utf8)
    let (bytes, response) = try await transport.data(for: request)
    #expect(bytes == Data("hello".utf8))
    #expect(response.status == 201)
    #expect(response.fields["x-method"] == "POST")
  }

  @Test(arguments: [
    (HTTP.Method.head, 200, true), (.get, 204, true), (.get, 304, true), (.get, 200, false),
    (.get, 404, false),
    (.head, 404, true),
  ]) func someResponsesHaveNoBody(method: HTTP.Method, status: Int, isEmpty: Bool) async throws {
    for body in [HTTP.Body(Data("x".utf8)), HTTP.Body(unfolding: stream(of: "x"))] {
      let transport = InProcessTransport(to: Handler { _ in HTTP.Response(status: status, body: body) })
      let (bytes, _) = try await transport.data(for: request(method))
      #expect(bytes.isEmpty == isEmpty)
    }
  }

  private func stream(of text: String) -> @Sendable () async throws -> Data? {
    let rest = Locked<Data?>(Data(text.utf8))
    return {
      rest.withLock { rest in
        defer { rest = nil }
        return rest
      }
    }
  }

  @Test func aHandlersErrorClosesTheConnection() async throws {
    struct Broken: Error {}
    let transport = InProcessTransport(to: Handler { _ in throw Broken() })
    do throws(TransportError) {
      _ = try await transport.send(HTTP.Request(.get, URL(filePath: "/")))
    } catch { #expect(error.code == .invalidRequest) }
    let request = try request()
    do throws(TransportError) {
      _ = try await transport.send(request)
      Issue.record("Nothing was thrown.")
    } catch {
      #expect(error.code == .connectionLost)
      #expect(error.cause is Broken)
    }
  }

  @Test func aHandlersTransportErrorIsThrown() async throws {
    let transport = InProcessTransport(to: Handler { _ in throw TransportError(.hostNotFound, "nowhere") })
    let request = try request()
    #expect(await code { _ = try await transport.send(request) } == .hostNotFound)
  }

  @Test(arguments: ["ftp://a/", "file:///a", "/a", "http:///a", "mailto:a@b.c"])
  func aRequestWithAnInvalidURLIsNotSent(text: String) async throws {
    let calls = Locked(0)
    let transport = InProcessTransport(
      to: Handler { _ in
        calls.withLock { $0 += 1 }
        return HTTP.Response(status: 200)
      })
    let request = HTTP.Request(.get, try #require(URL(string: text)))
    #expect(await code { _ = try await transport.send(request) } == .invalidRequest)
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func silenceBeforeTheHeadTimesOut() async throws {
    let (clock, wasCancelled) = (HandClock(), Locked(false))
    let transport = InProcessTransport(
      to: Handler { _ in
        do { try await clock.sleep(for: .seconds(3600)) } catch { wasCancelled.withLock { $0 = true } }
        return HTTP.Response(status: 200)
      }, time: clock.time)
    let request = try request()
    async let thrown = code { _ = try await transport.send(request) }
    await clock.sleepers(2)
    clock.advance(by: .seconds(30))
    #expect(await thrown == .timedOut)
    #expect(wasCancelled.withLock { $0 })
  }

  @Test func theTimeoutAppliesToEachChunk() async throws {
    let clock = HandClock()
    let count = Locked(0)
    let transport = InProcessTransport(
      to: Handler { _ in
        HTTP.Response(
          status: 200,
          body: HTTP.Body(unfolding: {
            let number = count.withLock { count in
              count += 1
              return count
            }
            try await clock.sleep(for: .seconds(number < 3 ? 20 : 40))
            return Data([UInt8(number)])
          }))
      }, time: clock.time)
    let request = try request()
    async let outcome = {
      var chunks: [Data] = []
      let thrown = await code {
        for try await chunk in try await transport.send(request).body { chunks.append(chunk) }
      }
      return (chunks, thrown)
    }()
    for pause in [20, 20, 30] {
      await clock.sleepers(2)
      clock.advance(by: .seconds(pause))
    }
    let (chunks, thrown) = await outcome
    #expect(chunks == [Data([1]), Data([2])], "Forty seconds in all, but never thirty in one go.")
    #expect(thrown == .timedOut)
  }

  @Test(arguments: [Duration?.none, .seconds(30)]) func cancellingCancelsTheHandler(timeout: Duration?)
    async throws
  {
    struct Own: Error {}
    let clock = HandClock()
    let transport = InProcessTransport(
      to: Handler { _ in
        // A handler that converts the cancellation to an error of its own.
        do { try await clock.sleep(for: .seconds(3600)) } catch { throw Own() }
        return HTTP.Response(status: 200)
      }, time: clock.time)
    let request = try request(timeout: timeout)
    let task = Task { await code { _ = try await transport.send(request) } }
    await clock.sleepers(timeout == nil ? 1 : 2)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(clock.remaining.isEmpty)
  }

  @Test func cancellingIsReportedWhenTheHandlerIgnoresIt() async throws {
    let transport = InProcessTransport(
      to: Handler { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return HTTP.Response(status: 200)
      }, time: HandClock().time)
    let request = try request(timeout: nil)
    let task = Task { await code { _ = try await transport.send(request) } }
    #expect(await task.value == .cancelled)
  }

  @Test func leavingTheBodyReleasesTheHandlersSource() async throws {
    let releases = Releases()
    let transport = InProcessTransport(
      to: Handler { _ in
        let token = releases.token()
        return HTTP.Response(
          status: 200,
          body: HTTP.Body(unfolding: {
            token.touch()
            return Data("x".utf8)
          }))
      })
    let response = try await transport.send(request())
    for try await _ in response.body { break }
    #expect(releases.count == 1)
    #expect(response.status == 200)
  }
}
