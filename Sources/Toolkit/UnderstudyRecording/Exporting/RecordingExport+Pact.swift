import UnderstudyHTTP

extension RecordingExport {
  /// Exports recordings as a Pact file (specification 4.0), with an interaction of the type Synchronous/HTTP for each
  /// exchange.
  ///
  /// - The provider states are the conditions of the clause, each with its `fixtures`, followed by the preceding
  ///   exchanges: `earlier exchanges of the recording`, with `recording` and the number of `exchanges` to send.
  /// - A provider state returns the values that requests need, each under the recorded value that it replaces: a
  ///   lower-case UUID, or the placeholder of a secret such as `redacted-2`. A secret of the client is under its
  ///   position, such as `request header apikey`. A request with such values has a `ProviderState` generator.
  /// - UUIDs, dates, secrets and timestamps in a response have matching rules; dates that the client sent have none.
  ///   Pact allows additional members in every object of a response.
  /// - A stream of server-sent events is a text with a regular expression. If the client stopped reading it, further
  ///   events may follow.
  ///
  /// - Parameters:
  ///   - recordings: The recordings.
  ///   - consumer: The name of the client that sends the requests.
  ///   - provider: The name of the service that responds.
  package static func pact(
    of recordings: [NamedRecording], consumer: String, provider: String
  ) -> RecordingExport {
    var interactions = RecordedInteractions(of: recordings)
    for interaction in interactions.all where interaction.events != nil && interaction.isPieced {
      interactions.omit(
        interaction, "exported without its chunks and pauses: Pact compares a body as one text")
    }
    return RecordingExport(
      document: .members([
        "consumer": .members(["name": .string(consumer)]),
        "provider": .members(["name": .string(provider)]),
        "interactions": .array(interactions.all.map(\.pact)),
        "metadata": .members(["pactSpecification": .members(["version": .string("4.0")])]),
      ]), omissions: interactions.omissions)
  }
}

extension RecordedInteraction {
  fileprivate var pact: JSONValue {
    .members([
      "type": .string("Synchronous/HTTP"), "key": .string(id), "description": .string(title),
      "pending": .boolean(false),
      "providerStates": .array(
        states.map { .members(["name": .string($0.name), "params": $0.parameters]) }),
      "request": pactRequest, "response": pactResponse,
    ])
  }

  private var pactRequest: JSONValue {
    var places = PactPlaces()
    places.add(path, of: "path", at: "", supplying: suppliedValues)
    for item in query {
      for value in item.values { places.add(value, of: "query", at: item.name, supplying: suppliedValues) }
    }
    for field in request.fields {
      places.add(field.value, of: "header", at: field.name, supplying: suppliedValues)
    }
    if case .json(let body)? = request.body { places.add(requestBody: body, supplying: suppliedValues) }
    return .members([
      "method": .string(method.rawValue), "path": .string(path.text),
      "query": .unlessEmpty(query.map { .init($0.name, .array($0.values.map { .string($0.text) })) }),
      "headers": request.pactHeaders, "body": request.pactBody, "matchingRules": places.matchingRulesJSON,
      "generators": places.generatorsJSON,
    ])
  }

  private var pactResponse: JSONValue {
    var places = PactPlaces()
    for field in response.fields { places.add(field: field.value, named: field.name) }
    if let events {
      places.add(pattern: events.pattern(varying: variability) + (isOpen ? #"[\s\S]*"# : ""))
    } else if case .json(let body)? = response.body {
      places.add(responseBody: body, varying: variability)
    }
    return .members([
      "status": .number("\(status)"), "headers": response.pactHeaders, "body": response.pactBody,
      "matchingRules": places.matchingRulesJSON,
    ])
  }
}

extension RecordedInteraction.Message {
  fileprivate var pactHeaders: JSONValue? {
    .unlessEmpty(fields.map { .init($0.name, .array([.string($0.value.text)])) })
  }

  fileprivate var pactBody: JSONValue? {
    guard let body else { return nil }
    let isEncoded = if case .base64 = body { true } else { false }
    return .members([
      "content": body.value, "contentType": .string(contentType ?? mediaType),
      "encoded": isEncoded ? .string("base64") : .boolean(false),
    ])
  }
}
