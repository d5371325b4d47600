public import Foundation
public import UnderstudyHTTP

/// What a client and a service say to each other over HTTP, as a document that no language owns.
///
/// The document is one JSON object for each service (`exchanges.schema.json`). A backend must honour each exchange, and
/// a client must read each as it says.
public struct ExchangeDocument: Sendable, Hashable {
  /// The service that it is about, in one word.
  public let service: String
  /// What the document is about, in one sentence.
  public let statement: String
  /// The exchanges, in the document's order.
  public let exchanges: [Exchange]

  /// Reads a document.
  ///
  /// - Throws: ``ExchangeDocumentError``, which names the place.
  public init(json data: Data) throws {
    let root: JSONValue
    do {
      root = try JSONValue(parsing: data)
    } catch {
      throw ExchangeDocumentError(place: "byte \(error.offset)", problem: "This is not JSON.")
    }
    let reader = ExchangeReader(root, at: "the document")
    service = try reader.string("service")
    statement = try reader.string("statement")
    exchanges = try reader.array("exchanges").map(Exchange.init)
  }
}

/// One request, the answer to it, and what that means to the caller.
public struct Exchange: Sendable, Hashable, CustomStringConvertible {
  /// A name that does not change, in dotted parts.
  public let id: String
  /// What the exchange shows, in one sentence.
  public let statement: String
  /// The conditions that hold before the request, by name.
  public let conditions: [String]
  /// The method of the service whose call this is.
  public let operation: String
  /// What is sent; `{key}` and `{token}` in its texts stand for what only a run can know.
  public let request: ExchangeRequest
  /// What is answered.
  public let response: ExchangeResponse
  /// What the client reports.
  public let meaning: Meaning

  /// What a client reports of an answer.
  public enum Meaning: Sendable, Hashable {
    /// A success, with what it gives.
    case result(String)
    /// An error of the service, with the field or the delay that it is about.
    ///
    /// Where the answer is a stream, `after` is how many events of it the client delivers before it throws the
    /// error; `nil` where the call throws.
    case error(String, field: String?, seconds: Int?, after: Int?)
  }

  /// The name.
  public var description: String { id }

  init(_ reader: ExchangeReader) throws {
    id = try reader.string("id")
    statement = try reader.string("statement")
    conditions = try reader.array("given").map { try $0.string() }
    operation = try reader.string("operation")
    request = try ExchangeRequest(try reader.object("request"))
    response = try ExchangeResponse(try reader.object("response"))
    let means = try reader.object("means")
    if let error = try means.optionalString("error") {
      meaning = .error(
        error, field: try means.optionalString("field"), seconds: try means.optionalInteger("seconds"),
        after: try means.optionalInteger("after"))
    } else {
      meaning = .result(try means.string("result"))
    }
  }
}

/// What a client sends.
public struct ExchangeRequest: Sendable, Hashable {
  /// The method.
  public let method: HTTPMethod
  /// The path, decoded.
  public let path: String
  /// The items of the query by name.
  public let query: [String: String]
  /// The fields that are sent; others may be.
  public let fields: [String: String]
  /// The body, if there is one: its JSON, or a string that is its text where `Content-Type` says that it is none.
  public let body: JSONValue?

  init(_ reader: ExchangeReader) throws {
    method = HTTPMethod(rawValue: try reader.string("method"))
    path = try reader.string("path")
    query = try reader.strings("query")
    fields = try reader.strings("fields")
    body = reader.optional("body")
  }
}

/// What a service answers.
public struct ExchangeResponse: Sendable, Hashable {
  /// A piece of the body, as it arrives.
  public struct Chunk: Sendable, Hashable {
    /// Its text, in UTF-8.
    public let text: String
    /// The silence before it.
    public let pause: Duration
  }

  /// How the body ends.
  public enum Ending: String, Sendable, Hashable {
    /// As it should.
    case complete
    /// The connection is closed too early.
    case dropped
    /// The connection is reset.
    case reset
    /// Nothing comes any more.
    case timedOut = "timed out"
  }

  /// What may stand in place of an example.
  public enum Variation: String, Sendable, Hashable {
    /// Any UUID, in a text.
    case uuid
    /// Any date and time of PostgreSQL's form, in a text.
    case timestamp
    /// Any text.
    case text
    /// Any number.
    case number
    /// Any object that has at least these members.
    case members
  }

  /// The status code.
  public let status: Int
  /// The fields that are sent; others may be.
  public let fields: [String: String]
  /// The body as a whole; `nil` where there is none, or where it comes as ``chunks``.
  public let body: JSONValue?
  /// The body piece by piece; empty unless it is a stream.
  public let chunks: [Chunk]
  /// The values of the body that are examples, by their dotted path.
  public let variations: [String: Variation]
  /// How the body ends.
  public let ending: Ending

  init(_ reader: ExchangeReader) throws {
    status = try reader.integer("status")
    fields = try reader.strings("fields")
    body = reader.optional("body")
    chunks = try reader.optionalArray("chunks").map {
      Chunk(text: try $0.string("text"), pause: .milliseconds(try $0.optionalInteger("pause") ?? 0))
    }
    variations = try reader.strings("varies").mapValues { name in
      guard let variation = Variation(rawValue: name) else {
        throw reader.error("varies", "\"\(name)\" is none of uuid, timestamp, text, number, members.")
      }
      return variation
    }
    let ends = try reader.string("ends")
    guard let ending = Ending(rawValue: ends) else {
      throw reader.error("ends", "\"\(ends)\" is none of complete, dropped, reset, timed out.")
    }
    self.ending = ending
  }
}

/// A document of exchanges that cannot be read.
public struct ExchangeDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where, such as `exchanges[3].response.status`.
  public let place: String
  /// What is wrong there.
  public let problem: String

  /// The place and the problem.
  public var description: String { "\(place): \(problem)" }
}
