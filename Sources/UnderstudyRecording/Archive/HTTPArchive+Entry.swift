public import Foundation
public import UnderstudyHTTP

extension HTTPArchive {
  /// One exchange: a request, and what came back.
  ///
  /// Fields of other tools stay, for instance the `_webSocketMessages` of Chrome.
  public struct Entry: HTTPArchiveObject {
    /// Every member, those of HAR 1.2 and others.
    public var members: [JSONValue.Member]

    /// An entry of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// An entry with every member that HAR 1.2 demands.
    public init(startedDateTime: Date, request: Request, response: Response, timings: Timings) {
      members = [
        .init("startedDateTime", .string(startedDateTime.archived)), .init("time", JSONValue(timings.total)),
        .init("request", request.json), .init("response", response.json), .init("cache", .object([])),
        .init("timings", timings.json),
      ]
    }

    /// When the request was sent; `nil` where it is missing or not ISO 8601.
    public var startedDateTime: Date? {
      get { string("startedDateTime").flatMap(Date.init(archived:)) }
      set { self["startedDateTime"] = newValue.map { .string($0.archived) } }
    }

    /// How long it all took, in milliseconds.
    public var time: Double? {
      get { number("time") }
      set { self["time"] = newValue.map { JSONValue($0) } }
    }

    /// What was asked.
    public var request: Request {
      get { object("request") ?? Request(members: []) }
      set { self["request"] = newValue.json }
    }

    /// What was answered.
    public var response: Response {
      get { object("response") ?? Response(members: []) }
      set { self["response"] = newValue.json }
    }

    /// What a browser's cache had of it; each of its two states is `nil` where it is missing or null.
    public var cache: Cache {
      get { object("cache") ?? Cache(members: []) }
      set { self["cache"] = newValue.json }
    }

    /// Where the time went.
    public var timings: Timings {
      get { object("timings") ?? Timings(members: []) }
      set { self["timings"] = newValue.json }
    }
  }

  /// Where the time of an exchange went, in milliseconds; -1 is what does not apply.
  public struct Timings: HTTPArchiveObject {
    /// Every member, `dns`, `connect` and `ssl` among them.
    public var members: [JSONValue.Member]

    /// Timings of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Timings of these parts.
    public init(send: Double = 0, wait: Double, receive: Double) {
      members = [
        .init("send", JSONValue(send)), .init("wait", JSONValue(wait)), .init("receive", JSONValue(receive)),
      ]
    }

    /// Until the request was sent.
    public var send: Double? { number("send") }
    /// From there until the head of the response was there.
    public var wait: Double? { number("wait") }
    /// From there until the body was there.
    public var receive: Double? { number("receive") }

    /// The sum of the parts that HAR 1.2 demands, to the microsecond.
    var total: Double {
      let sum = [send, wait, receive].reduce(0) { $0 + max(0, $1 ?? 0) }
      return (sum * 1000).rounded() / 1000
    }
  }

  /// What a browser's cache had of a resource.
  public struct Cache: HTTPArchiveObject {
    /// Every member.
    public var members: [JSONValue.Member]

    /// The states of a cache with these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// The state before the request.
    public var beforeRequest: JSONValue? { self["beforeRequest"].flatMap { $0 == .null ? nil : $0 } }
    /// The state after it.
    public var afterRequest: JSONValue? { self["afterRequest"].flatMap { $0 == .null ? nil : $0 } }
  }

  /// A name and its value: a header field, an item of a query, a field of a form.
  public struct NamedValue: HTTPArchiveObject {
    /// Every member; a field of a form can have `fileName` and `contentType`.
    public var members: [JSONValue.Member]

    /// A pair of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A pair.
    public init(name: String, value: String) {
      members = [.init("name", .string(name)), .init("value", .string(value))]
    }

    /// The name.
    public var name: String { string("name") ?? "" }
    /// The value; empty where it is missing or null.
    public var value: String { string("value") ?? "" }
  }

  /// A cookie of a request or a response.
  public struct Cookie: HTTPArchiveObject {
    /// Every member, `path` and `domain` among them.
    public var members: [JSONValue.Member]

    /// A cookie of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A cookie.
    public init(name: String, value: String) {
      members = [.init("name", .string(name)), .init("value", .string(value))]
    }

    /// The name.
    public var name: String { string("name") ?? "" }
    /// The value.
    public var value: String { string("value") ?? "" }
    /// When it ends, as the tool wrote it: many write no ISO 8601.
    public var expires: String? { string("expires") }
    /// Whether scripts cannot read it.
    public var httpOnly: Bool? { boolean("httpOnly") }
    /// Whether it travels over TLS alone.
    public var secure: Bool? { boolean("secure") }
  }
}
