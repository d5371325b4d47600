package import Foundation
package import UnderstudyHTTP

extension HTTPArchive {
  /// A response; status 0 if there was no response.
  package struct Response: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates a response from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a response with all members that HAR 1.2 requires.
    package init(
      status: Int, reason: String? = nil, fields: HTTP.Fields, trailers: HTTP.Fields = [:], content: Content
    ) {
      // An encoded body arrives decoded, so its encoded size is unknown.
      let bodySize = fields["Content-Encoding"] == nil ? content.integer("size") ?? -1 : -1
      members = [
        .init("status", JSONValue(status)), .init("statusText", .string(reason ?? "")),
        .init("httpVersion", .string("unknown")),
        .init("cookies", JSONValue(Cookie.set(in: fields))),
        .init("headers", JSONValue(fields.map(NamedValue.init))),
        .init("content", content.json), .init("redirectURL", .string(fields["Location"] ?? "")),
        .init("headersSize", JSONValue(-1)), .init("bodySize", JSONValue(bodySize)),
      ]
      if !trailers.isEmpty {
        self["_trailers"] = JSONValue(trailers.map(NamedValue.init))
      }
    }

    /// Creates the response of an exchange that failed: status 0, the message in `_error` and the code in `_errorCode`.
    package init(failure: TransportError) {
      self.init(status: 0, fields: [:], content: Content(Data(), mimeType: ""))
      self["_error"] = .string(failure.message)
      self["_errorCode"] = .string(failure.code.description)
    }

    /// The status code; 0 if there was no response.
    package var status: Int { integer("status") ?? 0 }
    /// The reason phrase (RFC 9112 §4); `nil` if it is missing or empty.
    package var reason: String? { string("statusText").flatMap { $0.isEmpty ? nil : $0 } }
    /// The trailers of the body (`_trailers`), which this package records; `nil` without trailers.
    package var trailers: [NamedValue]? { self["_trailers"].map { _ in objects("_trailers") } }
    /// The header fields, in order.
    package var headers: [NamedValue] { objects("headers") }
    /// The cookies of the response.
    package var cookies: [Cookie] { objects("cookies") }
    /// The body.
    package var content: Content {
      get { object("content") ?? Content(members: []) }
      set { self["content"] = newValue.json }
    }
    /// The target of a redirect; `nil` if it is missing, null or empty.
    package var redirectURL: String? { string("redirectURL").flatMap { $0.isEmpty ? nil : $0 } }

    /// The error of a failed exchange: `_errorCode` and `_error`, or the `net::ERR_…` that Chrome writes there.
    ///
    /// Status 0 without either of them is `.unknown`. The value is `nil` if there was a response.
    package var failure: TransportError? {
      guard status == 0 else { return nil }
      let message = string("_error") ?? string("statusText").flatMap { $0.isEmpty ? nil : $0 }
      let code = string("_errorCode").map(TransportError.Code.init(archived:))
      return TransportError(
        code ?? message.flatMap(TransportError.Code.init(chromium:)) ?? .unknown,
        message ?? "The recorded request failed for an unknown reason.")
    }
  }

  /// The body of a response, after decompression.
  package struct Content: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates a content from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a content from a body; data that is not UTF-8 is stored as base64.
    ///
    /// - Parameter isEncoded: Whether the body still has the coding of its `Content-Encoding`. It is then stored as
    ///   base64, and `_isEncoded` marks it, because HAR 1.2 has no field for this.
    package init(_ body: Data, mimeType: String, isEncoded: Bool = false) {
      members = [.init("size", JSONValue(body.count)), .init("mimeType", .string(mimeType))]
      if isEncoded { members.append(.init("_isEncoded", .boolean(true))) }
      if !isEncoded, let text = String(exactlyUTF8: body) {
        if !body.isEmpty { members.append(.init("text", .string(text))) }
      } else {
        members.append(.init("text", .string(body.base64EncodedString())))
        members.append(.init("encoding", .string("base64")))
      }
    }

    /// The length of the body in bytes, as recorded by the tool.
    package var size: Int? { integer("size") }
    /// The media type.
    package var mimeType: String? { string("mimeType") }
    /// The text, or the base64 encoding of the body; `nil` if the tool stored no body.
    package var text: String? { string("text") }

    /// The decoded body; empty if the tool stored no body, and `nil` if the base64 is invalid.
    package var body: Data? {
      let text = text ?? ""
      return string("encoding") == "base64" ? Data(base64Encoded: text) : Data(text.utf8)
    }

    /// Whether the body still has the coding of its `Content-Encoding` (`_isEncoded`), which the recorder cannot decode.
    package var isEncoded: Bool { self["_isEncoded"] == .boolean(true) }

    /// The chunks and the end of the body (`_stream`); `nil` if the tool did not record them.
    package var stream: BodyStream? {
      get { object("_stream") }
      set { self["_stream"] = newValue?.json }
    }
  }
}
