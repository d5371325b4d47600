/// A call that a clause made, with its answer.
struct TracedCall: Sendable {
  /// What a call returned or threw.
  enum Answer: Sendable, Hashable {
    case returned(ValueTree)
    case returnedNothing
    /// A value of a type that is not `Codable`.
    case returnedOpaque
    case threw(ErrorSample)
    /// A stream: the elements that were read, and how it ended.
    case stream([ValueTree?], end: StreamEnd?)
  }

  enum StreamEnd: Sendable, Hashable {
    case ended
    case threw(ErrorSample)
  }

  let operation: String
  let arguments: [ValueTree]
  /// Whether another task than that of the clause's closure made it, such as the child task of an `async let`.
  let isConcurrent: Bool
  /// Whether its form has a place for a failure.
  let canThrow: Bool
  /// `nil` while the call is under way, or if its answer was not asked for.
  var answer: Answer?

  var hasReturned: Bool {
    switch answer {
    case .returned?, .returnedNothing?, .returnedOpaque?, .stream?: true
    case .threw?, nil: false
    }
  }

  var hasThrown: Bool { if case .threw? = answer { true } else { false } }

  var isStream: Bool { if case .stream? = answer { true } else { false } }

  /// Whether its stream ended with an error.
  var hasStreamThrown: Bool { if case .stream(_, .threw?)? = answer { true } else { false } }

  /// Whether the answer shows anything about the state of the service.
  private var isInformative: Bool {
    switch answer {
    case .returned?, .threw?: true
    case .stream(let elements, let end)?: !elements.isEmpty || end != nil
    case .returnedNothing?, .returnedOpaque?, nil: false
    }
  }

  /// Whether a part of the answer is of a type that is not `Codable`.
  private var isOpaque: Bool {
    switch answer {
    case .returnedOpaque?: true
    case .stream(let elements, _)?: elements.contains(nil)
    default: false
    }
  }

  private struct Question: Hashable {
    let operation: String
    let arguments: [ValueTree]
  }

  /// Whether the calls of two trials of one clause were answered in the same way.
  ///
  /// Calls of several tasks may be made in another order, so calls are compared by their arguments.
  static func areAlike(_ one: [TracedCall], _ other: [TracedCall]) -> Bool {
    func answers(_ calls: [TracedCall]) -> [Question: [Answer?]] {
      calls.reduce(into: [:]) {
        $0[Question(operation: $1.operation, arguments: $1.arguments), default: []].append($1.answer)
      }
    }
    return answers(one) == answers(other)
  }

  /// Whether the answers of calls show an effect of them on the service, if there is one.
  static func areInformative(_ calls: [TracedCall]) -> Bool {
    calls.contains(where: \.isInformative) && !calls.contains(where: \.isOpaque)
  }
}
