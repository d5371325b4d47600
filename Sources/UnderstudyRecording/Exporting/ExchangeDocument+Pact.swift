import UnderstudyHTTP

extension ExchangeDocument {
  /// The exchanges as a Pact file (specification 4.0): one interaction for each exchange, of the type Synchronous/HTTP.
  ///
  /// - The conditions are provider states, in their order. A state that is set up gives the values that the requests
  ///   need: where a request has a name in braces, the interaction has a generator `ProviderState` for it.
  /// - What may vary in an answer has a matching rule. Pact allows further members in every object of an answer.
  /// - A stream of server-sent events is one text, with a regular expression for it.
  ///
  /// Not there: exchanges whose answer breaks off or never ends, and where a stream is cut and pauses.
  ///
  /// - Parameters:
  ///   - consumer: Who sends the requests.
  ///   - provider: Who answers; `nil` is ``service``.
  public func pact(consumer: String, provider: String? = nil) -> ExchangeExport {
    var interactions: [JSONValue] = []
    var omissions: [ExchangeExport.Omission] = []
    for exchange in exchanges {
      do throws(Unspeakable) {
        interactions.append(try PactInteraction(exchange).json)
        if exchange.response.isPieced {
          omissions.append(
            .init(
              exchangeID: exchange.id, extent: .part("its cuts and pauses"),
              reason: "Pact compares a body as one text"))
        }
      } catch {
        omissions.append(.init(exchangeID: exchange.id, extent: .exchange, reason: error.reason))
      }
    }
    return ExchangeExport(
      document: .members([
        "consumer": .members(["name": .string(consumer)]),
        "provider": .members(["name": .string(provider ?? service)]),
        "interactions": .array(interactions),
        "metadata": .members(["pactSpecification": .members(["version": .string("4.0")])]),
      ]), omissions: omissions)
  }
}

/// Why a format has no words for an exchange.
struct Unspeakable: Error {
  let reason: String
}

extension ExchangeResponse {
  /// Whether it says how its body is cut, or when its pieces come.
  var isPieced: Bool { chunks.count > 1 || chunks.contains { $0.pause > .zero } }
}

/// An exchange as an interaction of Pact.
private struct PactInteraction {
  let json: JSONValue

  init(_ exchange: Exchange) throws(Unspeakable) {
    if let reason = exchange.response.ending.reasonToLeaveOut { throw Unspeakable(reason: reason) }
    json = .members([
      "type": .string("Synchronous/HTTP"), "key": .string(exchange.id),
      "description": .string("\(exchange.id): \(exchange.statement)"), "pending": .boolean(false),
      "providerStates": .array(exchange.conditions.map { .members(["name": .string($0)]) }),
      "request": Self.request(exchange.request), "response": try Self.response(exchange.response),
    ])
  }

  private static func request(_ request: ExchangeRequest) -> JSONValue {
    var places = PactPlaces()
    if let body = request.body { places.addNames(in: body, at: "$") }
    for (name, value) in request.fields.sorted(by: { $0.key < $1.key }) {
      places.addNames(in: value, ofField: name)
    }
    return .members([
      "method": .string(request.method.rawValue), "path": .string(request.path),
      "query": .unlessEmpty(
        request.query.sorted { $0.key < $1.key }.map { .init($0.key, .array([.string($0.value)])) }),
      "headers": headers(request.fields),
      "body": request.body.map { body($0.fillingExamples, fields: request.fields) },
      "matchingRules": places.matchingRules, "generators": places.generators,
    ])
  }

  private static func response(_ response: ExchangeResponse) throws(Unspeakable) -> JSONValue {
    var places = PactPlaces()
    var content = response.body
    if let body = response.body {
      places.addVariations(of: response.variations, in: body)
    } else if !response.chunks.isEmpty {
      content = .string(response.chunks.map(\.text).joined())
      if response.isEventStream { places.addPattern(try response.eventsPattern(), at: "$") }
    }
    return .members([
      "status": .number("\(response.status)"), "headers": headers(response.fields),
      "body": content.map { body($0, fields: response.fields) }, "matchingRules": places.matchingRules,
    ])
  }

  private static func headers(_ fields: [String: String]) -> JSONValue? {
    .unlessEmpty(
      fields.sorted { $0.key < $1.key }.map { name, value in
        .init(name, .array([.string(FilledText(value).example)]))
      })
  }

  private static func body(_ content: JSONValue, fields: [String: String]) -> JSONValue {
    .members([
      "content": content, "contentType": .string(fields.contentType ?? "application/json"),
      "encoded": .boolean(false),
    ])
  }
}

extension [String: String] {
  /// The media type that header fields name, with its parameters.
  var contentType: String? { first { $0.key.lowercased() == "content-type" }?.value }
}

extension JSONValue {
  /// The same with names in braces replaced by their own examples.
  fileprivate var fillingExamples: JSONValue {
    switch self {
    case .string(let text): .string(FilledText(text).example)
    case .array(let elements): .array(elements.map(\.fillingExamples))
    case .object(let members): .object(members.map { .init($0.name, $0.value.fillingExamples) })
    default: self
    }
  }
}
