import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A slot for the sessions of one transport: a subclass of `URLProtocol` used by no other configuration, and its
/// content.
///
/// URLSession instantiates a class, and the instance receives no information about its session; on Linux, not even the
/// fields that a configuration adds. The class itself must therefore identify the session.
final class URLProtocolSlot: Sendable {
  /// The content shared by the sessions of a slot.
  struct Content: Sendable {
    let transport: any HTTPTransport
    /// The fields that are added to each request that lacks them.
    let fields: HTTP.Fields
  }

  private struct Table: Sendable {
    var contents: [ObjectIdentifier: Content] = [:]
    var free: [Int] = []
    /// The number of slots allocated so far.
    var count = 0
  }

  /// The only state shared by all sessions.
  ///
  /// URLSession creates the protocols, and only their type identifies the session.
  private static let table = Locked(Table())

  let protocolClass: TransportProtocol.Type
  let number: Int

  /// Allocates a slot for the lifetime of this object.
  init(_ content: Content) {
    #if canImport(FoundationNetworking)
      UnstartedTask.prepare()
    #endif
    let number = Self.table.withLock { table in
      if let number = table.free.popLast() { return number }
      table.count += 1
      return table.count
    }
    let protocolClass = Self.protocolClass(number, End.self)
    self.number = number
    self.protocolClass = protocolClass
    Self.table.withLock { $0.contents[ObjectIdentifier(protocolClass)] = content }
  }

  deinit {
    // Released outside of the lock, because releasing a transport may run other code.
    let content = Self.table.withLock { table in
      // On Apple platforms, a session that outlives its slot must not find the transport of another one.
      #if canImport(FoundationNetworking)
        table.free.append(number)
      #endif
      return table.contents.removeValue(forKey: ObjectIdentifier(protocolClass))
    }
    withExtendedLifetime(content) {}
  }

  /// The content of the slot with a class; `nil` if the slot is free.
  static func content(of protocolClass: TransportProtocol.Type) -> Content? {
    table.withLock { $0.contents[ObjectIdentifier(protocolClass)] }
  }

  // MARK: Unlimited classes

  private final class Numbered<Digits>: TransportProtocol {}

  private enum End {}
  private enum Zero<Lower> {}
  private enum One<Lower> {}

  /// A class that encodes the number in binary, its lowest digit innermost.
  ///
  /// The highest digit is always one, so that no two numbers have the same class.
  private static func protocolClass<Lower>(_ number: Int, _ digits: Lower.Type) -> TransportProtocol.Type {
    if number == 0 { return Numbered<Lower>.self }
    return number.isMultiple(of: 2)
      ? protocolClass(number / 2, Zero<Lower>.self) : protocolClass(number / 2, One<Lower>.self)
  }
}

/// One request of a session that is sent by a transport.
struct URLProtocolLoad: Sendable {
  let request: URLRequest
  let body: RequestBody
  let content: URLProtocolSlot.Content

  /// Sends the request, and sends the resulting events to the line.
  func run(_ line: ClientLine) async {
    do {
      let response = try await content.transport.send(try await requestToSend())
      line.send(.head(try head(of: response)))
      for try await chunk in response.body where !chunk.isEmpty { line.send(.chunk(chunk)) }
      line.send(.end)
    } catch let error as URLError {
      line.send(.failure(error))
    } catch {
      line.send(.failure(URLError(TransportError(wrapping: error), for: request.url)))
    }
  }

  private func requestToSend() async throws -> HTTP.Request {
    guard var sent = HTTP.Request(request) else {
      throw TransportError(.invalidRequest, "The request has no URL.")
    }
    for field in content.fields where sent.fields[field.name] == nil {
      sent.fields.append(name: field.name, value: field.value)
    }
    sent.body = try await body.bytes(of: request)
    return sent
  }

  private func head(of response: HTTP.Response) throws -> HTTPURLResponse {
    var url = request.url ?? URL(fileURLWithPath: "/")
    #if canImport(FoundationNetworking)
      // Foundation would handle it as a challenge, and wait for a password or, with a password, send a request to the
      // network. It does so only if the scheme is in lower case, although schemes are case-insensitive (RFC 3986 §3.1).
      let challenge = response.fields["WWW-Authenticate"]?.lowercased() ?? ""
      if response.status == 401, challenge.contains("basic") || challenge.contains("digest") {
        url = url.withSchemeInCapitals
      }
    #endif
    var fields: [String: String] = [:]
    for field in response.fields
    where !fields.keys.contains(where: { $0.lowercased() == field.name.lowercased() }) {
      fields[field.name] = response.fields[field.name]
    }
    guard
      let head = HTTPURLResponse(
        url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: fields)
    else {
      throw TransportError(
        .unreadableResponse, "Foundation does not support the status \(response.status).")
    }
    return head
  }
}

extension URL {
  fileprivate var withSchemeInCapitals: URL {
    guard let scheme else { return self }
    return URL(string: scheme.uppercased() + absoluteString.dropFirst(scheme.count)) ?? self
  }
}

extension HTTP.Request {
  /// Creates a request from that of a session, without its body; `nil` if it has no URL.
  init?(_ request: URLRequest) {
    guard let url = request.url else { return nil }
    // Foundation keeps fields in a dictionary, so their order is lost; they are sorted by name here.
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let seconds = request.timeoutInterval
    self.init(
      HTTP.Method(rawValue: request.httpMethod ?? "GET"), url,
      fields: HTTP.Fields(fields.map { .init(name: $0.key, value: $0.value) }),
      // A value of more than thirty years, or NaN, counts as unlimited.
      timeout: seconds < 1e9 ? .seconds(max(0, seconds)) : nil)
  }
}
