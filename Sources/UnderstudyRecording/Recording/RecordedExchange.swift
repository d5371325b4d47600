import Foundation
import UnderstudyTransport

/// One exchange as it was observed, with its secrets: it never leaves the recorder.
struct RecordedExchange: Sendable {
  struct Head: Sendable {
    var status: Int
    var fields: HTTPFields
  }

  struct Chunk: Sendable {
    /// Since the head.
    var time: Duration
    var bytes: Data
  }

  let request: HTTPRequest
  let sent: Date
  /// Until the head, or until it was clear that there will be none.
  var wait: Duration = .zero
  var head: Head?
  var failure: TransportError?
  var chunks: [Chunk] = []
  var ending: HTTPArchive.Ending = .unfinished
  /// Since the head.
  var endTime: Duration = .zero

  /// Whether there is something to tell yet.
  var isAnswered: Bool { head != nil || failure != nil }

  var body: Data { chunks.reduce(into: Data()) { $0.append($1.bytes) } }
}

// MARK: What may be told

extension RecordedExchange {
  /// Shows the redactor every part.
  func teach(_ redactor: inout Redactor) {
    let scanner = redactor.scanner
    let url = Array(request.url.absoluteString.utf8)
    redactor.learn(scanner.finds(in: url), from: "request URL")
    teach(&redactor, request.fields, "request")
    if let body = request.body {
      let finds = scanner.finds(in: [UInt8](body), isForm: request.fields.isForm)
      redactor.learn(finds, from: "request body")
    }
    if let head {
      teach(&redactor, head.fields, "response")
      redactor.learn(scanner.finds(in: [UInt8](body), isForm: head.fields.isForm), from: "response body")
    }
    if let failure { redactor.learn(scanner.finds(in: Array(failure.message.utf8)), from: "response error") }
  }

  private func teach(_ redactor: inout Redactor, _ fields: HTTPFields, _ side: String) {
    for field in fields {
      let finds = redactor.scanner.finds(inField: field.name, Array(field.value.utf8))
      redactor.learn(finds, from: "\(side) header \(field.name)")
    }
  }

  /// The entry, without secrets.
  func entry(_ redactor: Redactor) -> HTTPArchive.Entry {
    var request = request
    request.url = URL(string: redactor.redact(request.url.absoluteString)) ?? request.url
    request.fields = redactor.redact(request.fields)
    request.body = request.body.map { redactor.redact($0, isForm: request.fields.isForm).data }
    return HTTPArchive.Entry(
      startedDateTime: sent, request: .init(request), response: response(redactor),
      timings: .init(wait: wait.milliseconds, receive: endTime.milliseconds))
  }

  private func response(_ redactor: Redactor) -> HTTPArchive.Response {
    guard let head else {
      return .init(failure: redactor.redact(failure ?? TransportError(.unknown, "It has no answer yet.")))
    }
    let fields = redactor.redact(head.fields)
    let body = redactor.redact(body, isForm: fields.isForm)
    var content = HTTPArchive.Content(body.data, mimeType: fields["Content-Type"] ?? "")
    var position = 0
    let chunks = chunks.map { chunk in
      let start = body.place(of: position)
      position += chunk.bytes.count
      return HTTPArchive.Chunk(time: chunk.time.milliseconds, size: body.place(of: position) - start)
    }
    var ending = ending
    if case .failed(let error) = ending { ending = .failed(redactor.redact(error)) }
    content.stream = HTTPArchive.BodyStream(chunks: chunks, ending: ending, at: endTime.milliseconds)
    return .init(status: head.status, fields: fields, content: content)
  }
}

extension Redactor {
  fileprivate func redact(_ body: Data, isForm: Bool) -> RedactedBytes {
    let bytes = [UInt8](body)
    return redact(bytes, scanner.finds(in: bytes, isForm: isForm))
  }

  fileprivate func redact(_ fields: HTTPFields) -> HTTPFields {
    HTTPFields(
      fields.map { field in
        let bytes = Array(field.value.utf8)
        let redacted = redact(bytes, scanner.finds(inField: field.name, bytes))
        return .init(name: field.name, value: String(decoding: redacted.bytes, as: UTF8.self))
      })
  }

  fileprivate func redact(_ error: TransportError) -> TransportError {
    TransportError(error.code, redact(error.message))
  }
}

extension RedactedBytes {
  var data: Data { Data(bytes) }
}

extension HTTPFields {
  /// Whether the body is the fields of a form.
  var isForm: Bool { self["Content-Type"]?.lowercased().hasPrefix(KeyedRequest.formType) ?? false }
}

extension Duration {
  /// Milliseconds, to the microsecond.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000) / 1000
  }
}
