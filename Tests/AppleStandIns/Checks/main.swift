// Runs the code for Apple's platforms over the stand-ins, for .ci/apple. A line on standard output for each expectation
// that does not hold; the exit status is 1 then.

import Dispatch
@testable import Foundation
import Understudy

@testable import UnderstudyHTTP
@testable import UnderstudyTransport

func expect<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) {
  guard found != expected else { return }
  print("\(name): found \(found), expected \(expected)")
  hasFailed.withLock { $0 = true }
}
let hasFailed = Locked(false)

/// The code of the error that an operation throws; "none" if it throws none.
func code(of operation: () async throws -> Void) async -> String {
  do {
    try await operation()
    return "none"
  } catch {
    return (error as? TransportError)?.code.description
      ?? "\((error as NSError).domain) \((error as NSError).code)"
  }
}

func url(_ host: String) -> URL { URL(string: "http://\(host)/") ?? URL(fileURLWithPath: "/") }

func systemError(_ domain: String, _ code: Int32) -> NSError { NSError(domain: domain, code: Int(code)) }

// A check that hangs fails too.
DispatchQueue.global().asyncAfter(deadline: .now() + 20) {
  print("a check did not end within 20 seconds")
  exit(1)
}

// MARK: - UnderstudyTransport

let transport = URLSessionTransport()

// The server waits after the first chunk; the session gives up in the end.
for (host, type) in [("plain", "text/plain"), ("html", "text/html; charset=utf-8"), ("untyped", nil)] {
  FakeNetwork.serve(
    host,
    [
      .head(200, type.map { ["Content-Type": $0] } ?? [:]), .bytes(Data("Hello".utf8)),
      .failure(NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)),
    ])
  var chunks: [Data] = []
  let ending = await code {
    let response = try await transport.send(HTTP.Request(.get, url(host)))
    for try await chunk in response.body { chunks.append(chunk) }
  }
  expect("the first chunk of a body of type \(type ?? "nil")", chunks, [Data("Hello".utf8)])
  expect("the end of a body of type \(type ?? "nil")", ending, "timed out")
}

for domain in [NSPOSIXErrorDomain, "kNWErrorDomainPOSIX"] {
  for (number, expected) in [
    (ECONNABORTED, "connection lost"), (ENOTCONN, "connection lost"), (ETIMEDOUT, "timed out"),
  ] {
    FakeNetwork.serve("lost", [.failure(systemError(domain, number))])
    let found = await code { _ = try await transport.send(HTTP.Request(.get, url("lost"))) }
    expect("a request that ends with \(domain) \(number)", found, expected)
    let socket = try await transport.connect(to: HTTP.Request(.get, url("lost")))
    expect(
      "a WebSocket that ends with \(domain) \(number)", await code { _ = try await socket.receive() },
      expected)
  }
}

expect(
  "a GET request with a body",
  await code { _ = try await transport.send(HTTP.Request(.get, url("any"), body: Data("{}".utf8))) },
  "invalid request")

// MARK: - UnderstudyHTTP

/// Answers with the body of the request, in two chunks.
struct Echo: HTTPTransport {
  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let body = request.body ?? Data("none".utf8)
    return HTTP.Response(status: 200, fields: [:], body: HTTP.Body(chunks: [Data("echo ".utf8), body]))
  }
}

/// Never answers.
struct Silence: HTTPTransport {
  let started: AsyncStream<Void>.Continuation

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    started.yield()
    do { try await Task.sleep(for: .seconds(3600)) } catch {}
    throw TransportError(.cancelled, "cancelled")
  }
}

func request(_ method: String = "POST") -> URLRequest {
  var request = URLRequest(url: url("in-process"))
  request.httpMethod = method
  return request
}

func text(_ result: (Data, URLResponse)) -> String { String(decoding: result.0, as: UTF8.self) }

let session = URLSession(configuration: .over(Echo()))
// A second configuration, which would get the slot of the first one if that were free.
let other = URLSession(configuration: .over(Silence(started: AsyncStream.makeStream().continuation)))
expect(
  "a session whose configuration is released", await code { _ = try await session.data(for: request()) },
  "none")
expect("an answer of a URLProtocol", text(try await session.data(for: request("GET"))), "echo none")
expect(
  "an upload of data", text(try await session.upload(for: request(), from: Data("abc".utf8))), "echo abc")
expect("an upload without bytes", text(try await session.upload(for: request(), from: Data())), "echo none")
expect(
  "an upload from a stream of the delegate",
  await code { _ = try await session.uploadTask(withStreamedRequest: request()).result() },
  "\(NSURLErrorDomain) \(NSURLErrorUnsupportedURL)")

for _ in 0..<200 {
  let (started, continuation) = AsyncStream<Void>.makeStream()
  let silent = URLSession(configuration: .over(Silence(started: continuation)))
  let loading = Task { try await silent.data(for: request()) }
  for await _ in started { break }
  loading.cancel()
  expect(
    "a load that is cancelled", await code { _ = try await loading.value },
    "\(NSURLErrorDomain) \(NSURLErrorCancelled)")
}
expect("misuses of the client of a URLProtocol", FakeNetwork.misuses, [])
withExtendedLifetime(other) {}

exit(hasFailed.withLock { $0 } ? 1 : 0)
