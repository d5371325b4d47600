public import Understudy
public import UnderstudyHTTP
import Foundation

/// A server made of exchanges: each request gets the answer of the exchange whose request it is.
///
/// A request is an exchange's if it has its method, path and query, its fields, and its body as JSON; where the
/// exchange has a name in braces, any text may stand. Of several such exchanges the one answers whose conditions
/// hold:
///
/// - the conditions that the request names itself, in fields `Understudy-Conditions: signed in, a child is stored`;
/// - else those that were brought about, as with a ``ConditionsEndpoint``;
/// - else, when none were, the first of the document.
///
/// Not every exchange has to name all conditions that hold: of those all of whose conditions hold, the one with the
/// most answers. A request that is nobody's gets status 501, and a text that says what the nearest exchange expects.
public final class ExchangeHandler: ConditionedHandler {
  private let exchanges: [Exchange]
  private let names: [String]
  private let time: Time
  private let holding = Locked<Set<String>>([])
  private let answered = Locked<Set<String>>([])

  /// A server for the exchanges of these documents.
  ///
  /// - Parameter time: What the pauses of streams run on.
  public init(_ documents: [ExchangeDocument], time: Time = .system) {
    exchanges = documents.flatMap(\.exchanges)
    names = documents.flatMap(\.namesToFill)
    self.time = time
  }

  /// The conditions of the exchanges, in their order.
  public var conditions: [String] {
    exchanges.flatMap(\.conditions).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The exchanges whose answers nobody has got, in their order.
  public var unusedExchanges: [Exchange] {
    let answered = answered.withLock { $0 }
    return exchanges.filter { !answered.contains($0.id) }
  }

  /// Makes a condition hold.
  ///
  /// - Returns: For each name in braces the name itself, as any text may stand for it.
  /// - Throws: ``UnknownCondition`` if no exchange has it.
  public func bringAbout(_ condition: String) throws -> [String: String] {
    guard conditions.contains(condition) else { throw UnknownCondition(condition, known: conditions) }
    holding.withLock { _ = $0.insert(condition) }
    return Dictionary(names.map { ($0, $0) }) { first, _ in first }
  }

  /// Lets no condition hold.
  public func reset() {
    holding.withLock { $0 = [] }
  }

  /// The answer of the exchange whose request it is.
  public func respond(to request: HTTPRequest) -> HTTPResponse {
    let named = request.fields.values(of: "Understudy-Conditions").flatMap { $0.split(separator: ",") }.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    if let unknown = named.first(where: { !conditions.contains($0) }) {
      return Self.refusal(UnknownCondition(unknown, known: conditions).description)
    }
    let holding = named.isEmpty ? holding.withLock { $0 } : Set(named)
    let atPlace = exchanges.filter { $0.request.isAtPlace(of: request) }
    let candidates = atPlace.filter { $0.request.differences(from: request).isEmpty }
    guard let first = candidates.first else {
      return Self.refusal(Self.complaint(about: request, nearTo: atPlace))
    }
    guard !holding.isEmpty else { return answer(of: first) }
    let fitting = candidates.filter { holding.isSuperset(of: $0.conditions) }
    let most = fitting.map(\.conditions.count).max()
    guard let exchange = fitting.first(where: { $0.conditions.count == most }) else {
      let needed = candidates.map { "\($0) (\($0.conditions.joined(separator: ", ")))" }
      return Self.refusal(
        "The conditions that hold are none of an exchange with this request: "
          + "\(holding.sorted().joined(separator: ", ")). There is: \(needed.joined(separator: "; ")).")
    }
    return answer(of: exchange)
  }

  private func answer(of exchange: Exchange) -> HTTPResponse {
    answered.withLock { _ = $0.insert(exchange.id) }
    return exchange.response.response(on: time)
  }

  private static func complaint(about request: HTTPRequest, nearTo exchanges: [Exchange]) -> String {
    let all = exchanges.map { ($0, $0.request.differences(from: request)) }
    guard let (exchange, differences) = all.min(by: { $0.1.count < $1.1.count }) else {
      return "No exchange has a request \(request.method) \(request.url.path(percentEncoded: false))."
    }
    return "No exchange has this request. The nearest is \(exchange): \(differences.joined(separator: " "))"
  }

  private static func refusal(_ message: String) -> HTTPResponse {
    let body = JSONValue.members(["message": .string(message)])
    return HTTPResponse(status: 501, body: Data(body.compactText.utf8), contentType: "application/json")
  }
}
