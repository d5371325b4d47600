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

// MARK: - Understudy

let (running, waiting, uninterruptible) = (TH_STATE_RUNNING, TH_STATE_WAITING, TH_STATE_UNINTERRUPTIBLE)
for (states, isOneReady) in [
  ([running, waiting, waiting], false), ([running, waiting, running], true),
  ([running, uninterruptible], true), ([running], false),
] {
  FakeThreads.current.withLock { $0 = FakeThreads(states: states) }
  expect("threads in the states \(states) are ready", ProcessThreads.isOneReady, isOneReady)
  let left = FakeThreads.current.withLock { [$0.rights, $0.bytes] }
  expect("rights and bytes of threads that are not given back", left, [0, 0])
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
    let ending = await code { _ = try await transport.connect(to: HTTP.Request(.get, url("lost"))).receive() }
    expect("a WebSocket that ends with \(domain) \(number)", ending, expected)
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

/// The text that an operation returns, or the code of its error.
func text(of operation: () async throws -> (Data, URLResponse)) async -> String {
  var text = ""
  let code = await code { text = String(decoding: try await operation().0, as: UTF8.self) }
  return code == "none" ? text : code
}

let session = URLSession(configuration: .over(Echo()))
// A second configuration, which would get the slot of the first one if that were free.
let other = URLSession(configuration: .over(Silence(started: AsyncStream.makeStream().continuation)))
expect(
  "a session whose configuration is released", await text { try await session.data(for: request()) },
  "echo none")
expect(
  "an upload of data", await text { try await session.upload(for: request(), from: Data("abc".utf8)) },
  "echo abc")
expect(
  "an upload without bytes", await text { try await session.upload(for: request(), from: Data()) },
  "echo none")
expect(
  "an upload from a stream of the delegate",
  await text { try await session.uploadTask(withStreamedRequest: request()).result() },
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
