public import Foundation
public import UnderstudyHTTP

extension HTTPArchive {
  /// What was answered; a status of 0 says that nothing was.
  public struct Response: HTTPArchiveObject {
    /// Every member, those of HAR 1.2 and others.
    public var members: [JSONValue.Member]

    /// A response of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A response with every member that HAR 1.2 demands.
    public init(status: Int, fields: HTTP.Fields, content: Content) {
      // What is encoded on the wire arrives decoded, so its size there is not known.
      let bodySize = fields["Content-Encoding"] == nil ? content.integer("size") ?? -1 : -1
      members = [
        .init("status", JSONValue(status)), .init("statusText", .string("")),
        .init("httpVersion", .string("unknown")),
        .init("cookies", JSONValue(Cookie.set(in: fields))),
        .init("headers", JSONValue(fields.map { NamedValue(name: $0.name, value: $0.value) })),
        .init("content", content.json), .init("redirectURL", .string(fields["Location"] ?? "")),
        .init("headersSize", JSONValue(-1)), .init("bodySize", JSONValue(bodySize)),
      ]
    }

    /// The answer to a request that had none: status 0, `_error` with the message and `_errorCode` with the code.
    public init(failure: TransportError) {
      self.init(status: 0, fields: [:], content: Content(Data(), mimeType: ""))
      self["_error"] = .string(failure.message)
      self["_errorCode"] = .string(failure.code.description)
    }

    /// The status code; 0 where there was no answer.
    public var status: Int { integer("status") ?? 0 }
    /// The header fields, in order.
    public var headers: [NamedValue] { objects("headers") }
    /// The cookies that were set.
    public var cookies: [Cookie] { objects("cookies") }
    /// The body.
    public var content: Content {
      get { object("content") ?? Content(members: []) }
      set { self["content"] = newValue.json }
    }
    /// The target of a redirect; `nil` where it is missing, null or empty.
    public var redirectURL: String? { string("redirectURL").flatMap { $0.isEmpty ? nil : $0 } }

    /// Why there was no answer: `_errorCode` and `_error`, or the `net::ERR_…` that Chrome writes there.
    ///
    /// Status 0 without either of them is `.unknown`. `nil` where there was an answer.
    public var failure: TransportError? {
      guard status == 0 else { return nil }
      let message = string("_error") ?? string("statusText").flatMap { $0.isEmpty ? nil : $0 }
      let code = string("_errorCode").map(TransportError.Code.init(archived:))
      return TransportError(
        code ?? message.flatMap(TransportError.Code.init(chromium:)) ?? .unknown,
        message ?? "The recording says that no answer came, and not why.")
    }
  }

  /// The body of a response, after decompression.
  public struct Content: HTTPArchiveObject {
    /// Every member, those of HAR 1.2 and others.
    public var members: [JSONValue.Member]

    /// A content of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A body; what is not UTF-8 becomes base64.
    public init(_ body: Data, mimeType: String) {
      members = [.init("size", JSONValue(body.count)), .init("mimeType", .string(mimeType))]
      if let text = String(exactlyUTF8: body) {
        if !body.isEmpty { members.append(.init("text", .string(text))) }
      } else {
        members.append(.init("text", .string(body.base64EncodedString())))
        members.append(.init("encoding", .string("base64")))
      }
    }

    /// The length of the body in bytes, as the tool counted.
    public var size: Int? { integer("size") }
    /// The media type.
    public var mimeType: String? { string("mimeType") }
    /// The text, or the bytes in base64; `nil` where the tool kept no body.
    public var text: String? { string("text") }

    /// The bytes, of which there are none where the tool kept no body; `nil` where base64 is broken.
    public var body: Data? {
      let text = text ?? ""
      return string("encoding") == "base64" ? Data(base64Encoded: text) : Data(text.utf8)
    }

    /// How the body came (`_stream`); `nil` where the tool did not look.
    public var stream: BodyStream? {
      get { object("_stream") }
      set { self["_stream"] = newValue?.json }
    }
  }
}
