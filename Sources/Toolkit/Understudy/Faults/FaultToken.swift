import UnderstudyText

/// Follows one injected fault from the rule that selected its call to the place where it takes effect.
///
/// A call is not evidence that its fault was tested: a stream may end before the event that the fault needs, or have no
/// reader. Until the effect, the token keeps the plan of the rule alive, so that the plan is checked after the stream has
/// been released.
package final class FaultToken: Sendable {
  /// What becomes of a fault.
  package enum Step: Sendable, Hashable {
    /// The fault has taken effect.
    case effect
    /// The stream, or the body, of the call has been made.
    case stream
    /// The reader has received an event; with its number, from one.
    case event(Int)
    /// The stream has ended, or has failed by itself, after a number of events.
    case end(after: Int)
    /// The fault cannot have an effect on the call; with the reason, and what to use instead.
    case obstacle(String)
  }

  private let receiver: Locked<(@Sendable (Step) -> Void)?>

  init(_ receiver: @escaping @Sendable (Step) -> Void) {
    self.receiver = Locked(receiver)
  }

  /// Notes a step; those after the effect say nothing more.
  package func note(_ step: Step) {
    // Called, and released with its plan, outside of the lock: the plan may record an issue.
    let receiver = receiver.withLock { receiver in
      defer { if step == .effect { receiver = nil } }
      return receiver
    }
    receiver?(step)
  }
}

/// The token of a fault, which does not distinguish it from the same fault elsewhere.
struct FaultTrace: Hashable, Sendable {
  let token: FaultToken?

  static func == (one: Self, other: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension Fault {
  /// The same fault, not followed: for an error that outlives the call.
  var untraced: Fault { Fault(effect) }

  /// The latency of one call, which has its effect with the call; `nil` for another fault.
  func latency(using generator: inout SeededGenerator) -> Fault? {
    switch effect {
    case .latency: self
    case .drawnLatency(let distribution): .latency(distribution.next(using: &generator))
    default: nil
    }
  }

  /// Notes that the fault takes effect; called before anything of the effect can be observed.
  package func noteEffect() { token?.note(.effect) }

  /// Notes that the fault cannot have an effect on a call.
  ///
  /// Without a token, an interceptor threw the fault, or a gate injected it, and it is an issue of the current test.
  package func noteObstacle(_ reason: @autoclosure () -> String) {
    FaultWitness.current?.saw(self, meeting: reason())
    if let token { return token.note(.obstacle(reason())) }
    // A cancelled call has this fault too.
    if self == .cancelled { return }
    TestIssue.currentReporter?.record("\(self) had no effect: \(reason())", at: nil)
  }

  /// Why the fault has no effect on a service's call, with what to use instead; `nil` if it has one.
  var obstacleAtService: String? {
    switch effect {
    case .stream(.splitCharacters), .dribble:
      "a service returns values, not bytes; inject the fault into its transport or its handler"
    case .stream(.duplicate), .stream(.reorder):
      """
      the method returns no stream, and the fault needs events; inject it into a method that returns one, or use a \
      fault of a call, such as .unreadableAnswer
      """
    default: nil
    }
  }
}

/// What became of the faults of one rule, or of one entry of a schedule.
struct FaultProgress: Sendable {
  private(set) var hasTakenEffect = false
  private var hasStream = false
  /// The events of the stream that came nearest to the fault; `nil` if none has been read.
  private var furthest: (events: Int, hasEnded: Bool)?
  private var obstacle: String?

  mutating func take(_ step: FaultToken.Step) {
    switch step {
    case .effect: hasTakenEffect = true
    case .stream: hasStream = true
    case .event(let number): if number > furthest?.events ?? 0 { furthest = (number, false) }
    case .end(let count): if count >= furthest?.events ?? 0 { furthest = (count, true) }
    case .obstacle(let reason): obstacle = reason
    }
  }

  /// Why a fault that was injected has not taken effect, to follow "the call was made, but".
  func reason(for fault: Fault) -> String {
    if let obstacle { return obstacle }
    guard hasStream else { return "it failed, or was cancelled, before the fault could take effect" }
    let need = "; the fault needs \(fault.need)"
    guard let furthest else { return "its stream, or its body, was not read as far as the fault" }
    let events = Words.count(furthest.events, "event")
    return furthest.hasEnded
      ? "its stream ended after \(events)\(need)"
      : "its stream was read up to event \(furthest.events)\(need)"
  }
}

extension Fault {
  /// What a stream must have for the fault to take effect.
  fileprivate var need: String {
    switch streamEffect {
    case .drop(let count), .end(let count), .stall(let count), .close(_, let count), .abort(let count),
      .badFrame(let count):
      "event \(count < .max ? count + 1 : count)"
    case .corrupt(let number): "event \(number)"
    case .duplicate(let number): "event \(number), and a reader that also reads its copy"
    case .reorder(let number): "events \(number) and \(number < .max ? number + 1 : number)"
    case .unterminated: "the end of a stream with an event"
    case .splitCharacters: "a character of several bytes"
    case nil: "a reader"
    }
  }

  /// Why the fault can never take effect, with what to write instead; `nil` if it may.
  var mistake: String? {
    switch effect {
    case .stream(.corrupt(let number)), .stream(.duplicate(let number)), .stream(.reorder(let number)):
      number < 1 ? "Events are numbered from 1." : nil
    // RFC 9110 §15: other values are invalid, and 1xx precede an answer.
    case .answer(let answer) where !(200...599 ~= answer.status): "An answer has a status from 200 to 599."
    default: nil
    }
  }
}
