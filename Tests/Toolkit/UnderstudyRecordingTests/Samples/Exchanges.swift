import Foundation
import Understudy
import UnderstudyHTTP

extension HTTP.Request {
  static func get(_ target: String, fields: HTTP.Fields = [:]) throws -> HTTP.Request {
    HTTP.Request(.get, try url(target), fields: fields)
  }

  static func post(_ target: String, _ body: String, fields: HTTP.Fields = [:]) throws -> HTTP.Request {
    var fields = fields
    fields["Content-Type"] = fields["Content-Type"] ?? "application/json"
    return HTTP.Request(.post, try url(target), fields: fields, body: Data(body.utf8))
  }

  private static func url(_ target: String) throws -> URL {
    guard let url = URL(string: "https://api.example" + target) else {
      throw TransportError(.invalidRequest, target)
    }
    return url
  }
}

extension HTTP.Response {
  static func json(_ text: String, status: Int = 200) -> HTTP.Response {
    HTTP.Response(status: status, body: Data(text.utf8), contentType: "application/json")
  }
}

/// The chunks and the end of a body, as received by a reader.
struct ReadBody: Equatable {
  var chunks: [Data] = []
  var failure: TransportError.Code?
  var message: String?

  init(_ body: HTTP.Body) async {
    do {
      for try await chunk in body { chunks.append(chunk) }
    } catch {
      let error = TransportError(wrapping: error)
      failure = error.code
      message = error.message
    }
  }

  var texts: [String] { chunks.map { String(decoding: $0, as: UTF8.self) } }
}

extension HTTPTransport {
  /// The whole body as text.
  func text(for request: HTTP.Request) async throws -> String {
    String(decoding: try await data(for: request).0, as: UTF8.self)
  }

  /// The error of sending.
  func failure(of request: HTTP.Request) async -> TransportError? {
    do {
      _ = try await send(request)
      return nil
    } catch {
      return error
    }
  }
}
