import Foundation
import SharedServices
import SharedServicesLive
import Testing
import Understudy
import UnderstudyHTTP

/// A live service of changes, and the test in the server's place at the other end of its WebSockets.
struct RealtimeBench {
  /// Hands each WebSocket that is opened to the test, or refuses it.
  final class Door: HTTPHandler {
    /// What is answered in place of a WebSocket, in order.
    let refusals = Locked<[HTTP.Response]>([])
    let requests = Locked<[HTTP.Request]>([])
    private let opened: AsyncStream<any WebSocketConnection>
    private let opens: AsyncStream<any WebSocketConnection>.Continuation

    init() {
      (opened, opens) = AsyncStream.makeStream()
    }

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      requests.withLock { $0.append(request) }
      if let refusal = refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return refusal }
      return .webSocket { [opens] socket in
        opens.yield(socket)
        // The test decides when it is over.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw CancellationError()
      }
    }

    func next() async throws -> Peer {
      for await socket in opened { return Peer(socket: socket) }
      throw CancellationError()
    }
  }

  /// The server's end of a WebSocket.
  struct Peer: Sendable {
    let socket: any WebSocketConnection

    /// The text of the next message on the wire; `nil` at the end.
    func text() async throws -> String? {
      guard case .text(let text)? = try await socket.receive() else { return nil }
      return text
    }

    /// The `ref` of the next message, which must be this event.
    func ref(of event: String) async throws -> String {
      let text = try #require(try await text())
      guard case .array(let parts) = try JSONValue(parsing: Data(text.utf8)), parts.count == 5 else {
        throw Unexpected(text: text)
      }
      guard parts[3].stringValue == event, let ref = parts[1].stringValue else {
        throw Unexpected(text: text)
      }
      return ref
    }

    func send(_ text: String) async throws {
      try await socket.send(.text(text))
    }

    func reply(to ref: String, topic: String = "realtime:children", _ payload: String) async throws {
      try await send(#"["1","\#(ref)","\#(topic)","phx_reply",\#(payload)]"#)
    }

    func accept(_ ref: String) async throws {
      try await reply(to: ref, #"{"status":"ok","response":{"postgres_changes":[]}}"#)
    }

    func system(
      _ message: String, status: String = "ok", from sender: String = "postgres_changes"
    )
      async throws
    {
      try await send(
        #"["1",null,"realtime:children","system",{"channel":"children","extension":"\#(sender)","#
          + #""message":"\#(message)","status":"\#(status)"}]"#)
    }

    func change(_ data: String) async throws {
      try await send(
        #"[null,null,"realtime:children","postgres_changes",{"ids":[7],"data":{"schema":"public","#
          + #""table":"children","commit_timestamp":"2026-01-03T12:00:00.123Z","columns":[],\#(data)}}]"#)
    }

    struct Unexpected: Error {
      let text: String
    }
  }

  let bench: Bench
  let door = Door()
  let realtime: SupabaseRealtimeService

  /// A bench whose user is signed in and has a child, `Sample.childID`.
  static func signedIn(
    tokenLifetime: Int = 3600, exchange: @escaping @Sendable () -> HTTP.Response = { .tokens("2") }
  ) async throws -> RealtimeBench {
    let bench = try await Bench.signedIn(tokenLifetime: tokenLifetime) { request, _ in
      request.isExchange ? exchange() : .json(#"[{"id":"\#(Sample.childText)"}]"#)
    }
    return RealtimeBench(bench)
  }

  private init(_ bench: Bench) {
    self.bench = bench
    realtime = SupabaseRealtimeService(
      bench.client, over: InProcessTransport(to: door, time: bench.clock.time))
  }

  typealias Changes = AsyncThrowingStream<ChildChange, any Error>

  /// A subscription that is in force, and its server.
  func subscribed() async throws -> (changes: Changes, peer: Peer) {
    async let changes = realtime.childChanges()
    let peer = try await door.next()
    try await peer.accept(try await peer.ref(of: "phx_join"))
    try await peer.system("Subscribed to PostgreSQL")
    return (try await changes, peer)
  }
}

extension AsyncThrowingStream where Element == ChildChange, Failure == any Error {
  /// The next change; the iterators of one stream share its state.
  func next() async throws -> ChildChange? {
    var iterator = makeAsyncIterator()
    return try await iterator.next()
  }
}
