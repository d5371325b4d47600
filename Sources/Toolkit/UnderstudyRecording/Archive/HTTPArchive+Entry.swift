package import Foundation
package import UnderstudyHTTP

extension HTTPArchive {
  /// An exchange: a request and its response.
  ///
  /// Fields of other tools are preserved, for example Chrome's `_webSocketMessages`.
  package struct Entry: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates an entry from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates an entry with all members that HAR 1.2 requires.
    package init(startedDateTime: Date, request: Request, response: Response, timings: Timings) {
      members = [
        .init("startedDateTime", .string(startedDateTime.archived)), .init("time", JSONValue(timings.total)),
        .init("request", request.json), .init("response", response.json), .init("cache", .object([])),
        .init("timings", timings.json),
      ]
    }

    /// When the request was sent; `nil` if it is missing or not an ISO 8601 date.
    package var startedDateTime: Date? {
      get { string("startedDateTime").flatMap(Date.init(archived:)) }
      set { self["startedDateTime"] = newValue.map { .string($0.archived) } }
    }

    /// The total duration, in milliseconds.
    package var time: Double? {
      get { number("time") }
      set { self["time"] = newValue.map { JSONValue($0) } }
    }

    /// The request.
    package var request: Request {
      get { object("request") ?? Request(members: []) }
      set { self["request"] = newValue.json }
    }

    /// The response.
    package var response: Response {
      get { object("response") ?? Response(members: []) }
      set { self["response"] = newValue.json }
    }

    /// The durations of the phases.
    package var timings: Timings {
      get { object("timings") ?? Timings(members: []) }
      set { self["timings"] = newValue.json }
    }
  }

  /// The durations of the phases of an exchange, in milliseconds; -1 for a phase that does not apply.
  package struct Timings: HTTPArchiveObject {
    /// All members, including `dns`, `connect` and `ssl`.
    package var members: [JSONValue.Member]

    /// Creates timings from their members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates timings from their phases, in milliseconds.
    package init(send: Double = 0, wait: Double, receive: Double) {
      members = [
        .init("send", JSONValue(send)), .init("wait", JSONValue(wait)), .init("receive", JSONValue(receive)),
      ]
    }

    /// The duration of sending the request.
    package var send: Double? { number("send") }
    /// The duration from then until the head of the response.
    package var wait: Double? { number("wait") }
    /// The duration from then until the end of the body.
    package var receive: Double? { number("receive") }

    /// The sum of the phases that HAR 1.2 requires, in milliseconds rounded to the microsecond.
    var total: Double {
      let sum = [send, wait, receive].reduce(0) { $0 + max(0, $1 ?? 0) }
      return (sum * 1000).rounded() / 1000
    }
  }

  /// A name and its value: a header field, a query item or a form field.
  package struct NamedValue: HTTPArchiveObject {
    /// All members; a form field can have `fileName` and `contentType`.
    package var members: [JSONValue.Member]

    /// Creates a pair from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a pair from a name and a value.
    package init(name: String, value: String) {
      members = [.init("name", .string(name)), .init("value", .string(value))]
    }

    /// Creates a header field; `_encoding` marks bytes that are not UTF-8, because HAR 1.2 has no member for this.
    package init(_ field: HTTP.Fields.Field) {
      self.init(name: field.name, value: field.value)
      if field.isLatin1 { self["_encoding"] = .string(Self.latin1) }
    }

    private static let latin1 = "ISO-8859-1"

    /// The name.
    package var name: String { string("name") ?? "" }
    /// The value; empty if it is missing or null.
    package var value: String { string("value") ?? "" }
    /// Whether the bytes of a header field are ISO 8859-1, because they were not UTF-8.
    package var isLatin1: Bool { string("_encoding") == Self.latin1 }
  }

  /// A cookie of a request or a response.
  package struct Cookie: HTTPArchiveObject {
    /// All members, including `path` and `domain`.
    package var members: [JSONValue.Member]

    /// Creates a cookie from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a cookie from a name and a value.
    package init(name: String, value: String) {
      members = [.init("name", .string(name)), .init("value", .string(value))]
    }

    /// The value.
    package var value: String { string("value") ?? "" }
    /// The expiry date as written by the tool, often not in ISO 8601.
    package var expires: String? { string("expires") }
  }
}
