import Foundation
import UnderstudyRecording
import UnderstudyHTTP

/// Recordings of a to-do service, with an example of everything that an export supports.
enum TodoRecordings {
  static let user = "a0000000-0000-4000-8000-000000000001"
  static let milk = "b0000000-0000-4000-8000-000000000002"

  static let all = [stored, taken, two, left, odd, broken]

  static let stored = recording(
    "todos.add.stored", fixtures: #"{"signed in": ["\#(user.uppercased())"], "due days": ["2026-05-05"]}"#,
    [
      signIn, exchange(.post, "/todos?by=pat", add, 201, added, fields: ["X-Count": "1"]),
      exchange(
        .get, "/todos?id=eq.\(milk)", nil, 200,
        #"[{"title": "Milk", "due": "2026-05-05", "note": null}, {"title": "Eggs", "note": "six", "done": "2026-05-06"}]"#
      ),
    ])

  /// A clause that signs in like ``stored``.
  static let taken = recording(
    "todos.add.taken", fixtures: #"{"signed in": ["\#(user)"]}"#,
    [signIn, exchange(.post, "/todos?by=pat", add, 409, #"{"code": "taken", "hint": null}"#)])

  static let two = recording(
    "todos.watch.two",
    [
      watch(
        "data: {\"id\":\"\(milk)\",\"title\":\"Tea (hot)\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n",
        chunks: 2)
    ])

  /// Streams that the client stopped reading after an event, and within one.
  static let left = recording(
    "todos.watch.left",
    [
      watch("data: {\"title\":\"Ham\"}\n\n", ending: .unfinished),
      watch("data: {\"title\":\"Ham\"}\n\nda", ending: .unfinished),
    ])

  static let odd = recording(
    "todos.watch.odd", [watch("event: odd\ndata: no {json}\ndata: at all\n\ndata: {}\n\n")])

  /// Exchanges that formats with whole responses cannot express.
  static let broken = recording(
    "todos.watch.broken",
    [
      watch("data: {}\n\n", ending: .failed(TransportError(.connectionLost, "It was reset."))),
      .init(
        startedDateTime: date, request: .init(request(.get, "/todos", nil)),
        response: .init(failure: TransportError(.offline, "Offline.")), timings: .init(wait: 0, receive: 0)),
      exchange(.get, "/todos", nil, 101, ""),
      exchange(.get, "/todos", nil, 200, "[{"),
    ])

  private static let date = Date(timeIntervalSince1970: 1_767_225_600)
  private static let add =
    #"{"title": "Milk", "due": "2026-01-03", "owner": "\#(user)", "list": "c0000000-0000-4000-8000-000000000003"}"#
  private static let added =
    #"{"id": "\#(milk)", "title": "Milk", "due": "2026-01-03", "at": "2026-01-03T12:00:00.5+00:00", "number": 7, "tags": [{"my name": "by \#(user)"}]}"#
  private static let signIn = exchange(
    .post, "/session", #"{"name": "pat"}"#, 200, #"{"token": "redacted-2", "until": 1767229200}"#,
    isSignedIn: false)

  static func recording(
    _ clause: String, fixtures: String? = nil, _ entries: [HTTPArchive.Entry]
  ) -> NamedRecording {
    var log = HTTPArchive.Log(entries: entries)
    log.startedDateTime = date
    log.fixtures = fixtures.flatMap { try? JSONValue(parsing: Data($0.utf8)) }
    log["_placeholders"] = .object([
      .init("redacted-1", .string("request header key")), .init("redacted-2", .string("response body")),
    ])
    return NamedRecording("todos/\(clause)", HTTPArchive(log: log))
  }

  static func exchange(
    _ method: HTTP.Method, _ target: String, _ body: String?, _ status: Int, _ answer: String,
    fields: HTTP.Fields = [:], isSignedIn: Bool = true
  ) -> HTTPArchive.Entry {
    var fields = fields
    fields["Content-Type"] = "application/json; charset=utf-8"
    // Fields of the connection are not exported.
    fields["Date"] = "Sat, 03 Jan 2026 12:00:00 GMT"
    return .init(
      startedDateTime: date, request: .init(request(method, target, body, isSignedIn: isSignedIn)),
      response: .init(
        status: status, fields: fields, content: .init(Data(answer.utf8), mimeType: "application/json")),
      timings: .init(wait: 0, receive: 0))
  }

  private static func request(
    _ method: HTTP.Method, _ target: String, _ body: String?, isSignedIn: Bool = true
  ) -> HTTP.Request {
    var fields: HTTP.Fields = ["key": "redacted-1", "Host": "api.example"]
    if isSignedIn { fields["Authorization"] = "Bearer redacted-2" }
    if body != nil { fields["Content-Type"] = "application/json" }
    return HTTP.Request(
      method, URL(string: "https://api.example\(target)") ?? URL(filePath: "/"), fields: fields,
      body: body.map { Data($0.utf8) })
  }

  private static func watch(
    _ text: String, chunks: Int = 1, ending: HTTPArchive.Ending = .complete
  ) -> HTTPArchive.Entry {
    var content = HTTPArchive.Content(Data(text.utf8), mimeType: "text/event-stream")
    content.stream = .init(
      chunks: (0..<chunks).map { .init(time: Double($0), size: text.utf8.count / chunks) }, ending: ending,
      at: 9)
    return .init(
      startedDateTime: date, request: .init(request(.get, "/watch", nil, isSignedIn: false)),
      response: .init(status: 200, fields: ["Content-Type": "text/event-stream"], content: content),
      timings: .init(wait: 0, receive: 0))
  }
}
