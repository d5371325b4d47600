/// The faults and the interruptions of a scenario's run, and the calls at which they occur.
///
/// ```swift
/// let schedule: FaultSchedule = [
///   .at("children.createChild", call: 1, .conflict),
///   .interruption("sign-out", at: .answer, of: "children.fetchChildren", call: 2),
/// ]
/// ```
public struct FaultSchedule: Hashable, Sendable, Codable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// A call, and what disturbs it.
  public struct Entry: Hashable, Sendable, Codable, CustomStringConvertible {
    private enum CodingKeys: String, CodingKey {
      case operation, call
      case disturbance = "fault"
    }

    private let operation: String
    private let call: Int
    /// What occurs at the call.
    package let disturbance: Disturbance

    /// The call.
    package var point: FaultPoint { FaultPoint(operation, call: call) }

    init(_ point: FaultPoint, _ disturbance: Disturbance) {
      (operation, call) = (point.operation, point.call)
      self.disturbance = disturbance
    }

    init(_ point: FaultPoint, _ fault: Fault) {
      self.init(point, .fault(fault))
    }

    /// Creates an entry that injects a fault into a call of an operation.
    ///
    /// - Parameters:
    ///   - operation: The base's name in the scenario and the operation, such as `children.createChild`.
    ///   - number: The number of the call among those of the operation, starting at one.
    ///   - fault: The fault to inject.
    public static func at(_ operation: String, call number: Int, _ fault: Fault) -> Entry {
      Entry(FaultPoint(operation, call: number), .fault(fault))
    }

    /// Creates an entry that starts an interruption during a call of an operation.
    ///
    /// The call continues when the interruption has ended, or can make no progress.
    ///
    /// - Parameters:
    ///   - name: A name given to ``ScenarioRun/interruption(_:fileID:line:_:)``; or `cancel`, which cancels the task of
    ///     the ``ScenarioRun/act(named:fileID:line:_:)`` that makes the call; or `restart`, which cancels it and starts the
    ///     action again at once.
    ///   - moment: When it starts.
    ///   - operation: The base's name in the scenario and the operation, such as `children.createChild`.
    ///   - number: The number of the call among those of the operation, starting at one.
    public static func interruption(
      _ name: String, at moment: Moment, of operation: String, call number: Int
    ) -> Entry {
      Entry(FaultPoint(operation, call: number), .interruption(name, moment))
    }

    /// Creates an entry that delivers the answer of a call only when nothing else in the run can make progress.
    ///
    /// - Parameters:
    ///   - operation: The base's name in the scenario and the operation, such as `children.createChild`.
    ///   - number: The number of the call among those of the operation, starting at one.
    public static func late(_ operation: String, call number: Int) -> Entry {
      Entry(FaultPoint(operation, call: number), .late)
    }

    /// The injected fault, if it is one.
    package var fault: Fault? { if case .fault(let fault) = disturbance { fault } else { nil } }

    /// The entry as text, such as `children.createChild call=1 conflict`.
    public var description: String { "\(point) \(name)" }

    /// What occurs at the call, as text, such as `conflict`.
    var name: String { disturbance.typedName ?? "\(disturbance)" }

    /// The entry as a Swift expression.
    var swift: String {
      let operation = operation.swiftLiteral
      return switch disturbance {
      case .fault(let fault): ".at(\(operation), call: \(call), \(fault.swiftSpelling))"
      case .interruption(let name, let moment):
        ".interruption(\(name.swiftLiteral), at: \(moment.swift), of: \(operation), call: \(call))"
      case .late: ".late(\(operation), call: \(call))"
      }
    }
  }

  /// When an interruption starts during a call.
  public enum Moment: Hashable, Sendable {
    /// Before the call reaches the base.
    case request
    /// After the base has answered, before the caller receives the answer.
    case answer
    /// Before the reader of the call's stream receives an event; with its number, starting at one.
    case event(Int)
  }

  /// What occurs at a call.
  package enum Disturbance: Hashable, Sendable {
    case fault(Fault)
    case interruption(String, Moment)
    case late
  }

  /// The entries, in no particular order.
  ///
  /// Of two faults at the same call, the first applies.
  package var entries: [Entry]

  /// Creates a schedule.
  package init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// Creates a schedule.
  public init(arrayLiteral entries: Entry...) {
    self.init(entries)
  }

  /// The entries as text, separated by semicolons; `no fault` if there is no entry.
  public var description: String {
    entries.isEmpty ? "no fault" : entries.map(\.description).joined(separator: "; ")
  }

  /// The schedule as a Swift expression with an implied type.
  package var swiftSpelling: String { "[\(entries.map(\.swift).joined(separator: ", "))]" }

  /// The fault of a call, if any.
  func fault(at point: FaultPoint) -> Fault? {
    entries.lazy.filter { $0.point == point }.compactMap(\.fault).first
  }

  /// Whether something other than a fault occurs at a call.
  func interleaves(at point: FaultPoint) -> Bool {
    entries.contains { $0.point == point && $0.fault == nil }
  }
}

extension FaultSchedule.Disturbance: CustomStringConvertible {
  /// The disturbance as text that can be parsed; `nil` for a fault that has none.
  var typedName: String? {
    switch self {
    case .fault(let fault): fault.typedName
    case .interruption(let name, let moment): "\(name)@\(moment)"
    case .late: "late"
    }
  }

  package var description: String {
    if case .fault(let fault) = self { fault.description } else { typedName ?? "" }
  }

  /// Creates a disturbance from text: a fault with its parameters, an interruption such as `sign-out@answer`, or
  /// `late`.
  fileprivate init(typed text: some StringProtocol) throws(UnderstudyError) {
    if text == "late" {
      self = .late
    } else if let place = text.lastIndex(of: "@"), place != text.startIndex {
      let moment = text[text.index(after: place)...]
      guard let moment = FaultSchedule.Moment(typed: moment) else {
        throw UnderstudyError(
          .invalidText,
          "Invalid moment \"\(moment)\" of an interruption. Write request, answer, or event- and a number from 1."
        )
      }
      self = .interruption(String(text[..<place]), moment)
    } else {
      self = .fault(try Fault(typed: String(text)))
    }
  }
}

extension FaultSchedule.Moment: CustomStringConvertible {
  /// The moment as text: `request`, `answer` or `event-2`.
  public var description: String {
    switch self {
    case .request: "request"
    case .answer: "answer"
    case .event(let number): "event-\(number)"
    }
  }

  fileprivate init?(typed text: some StringProtocol) {
    switch text {
    case "request": self = .request
    case "answer": self = .answer
    default:
      guard text.hasPrefix("event-"), let number = Int(text.dropFirst(6)), number > 0 else { return nil }
      self = .event(number)
    }
  }

  fileprivate var swift: String {
    if case .event(let number) = self { ".event(\(number))" } else { ".\(self)" }
  }
}

extension FaultSchedule.Disturbance: Codable {
  /// Decodes a disturbance in text form.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(typed: try container.decode(String.self))
    } catch let error as UnderstudyError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Encodes the disturbance in text form.
  ///
  /// - Throws: `EncodingError` if the fault has no text form.
  package func encode(to encoder: any Encoder) throws {
    guard let typedName else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "The fault \"\(self)\" has no text form."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(typedName)
  }
}

extension FaultSchedule.Entry {
  /// Creates an entry from text: the operation, `call=` and its number, and a fault with its parameters, an
  /// interruption such as `sign-out@answer`, or `late`.
  ///
  /// - Throws: `UnderstudyError` if the text is invalid.
  package init(typed text: String) throws(UnderstudyError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, let disturbance = words.last, let call = words.dropLast().last,
      call.hasPrefix("call="),
      let number = Int(call.dropFirst(5)), number > 0
    else {
      throw UnderstudyError(
        .invalidText,
        """
        Invalid entry of a fault schedule "\(text)". Write an operation, the number of its call and a fault, such as \
        "children.createChild call=1 conflict", or an interruption, such as "children.createChild call=1 cancel@answer".
        """)
    }
    self.init(
      FaultPoint(words.dropLast(2).joined(separator: " "), call: number),
      try FaultSchedule.Disturbance(typed: disturbance))
  }
}

extension FaultSchedule {
  /// Creates a schedule from its description.
  ///
  /// - Throws: `UnderstudyError` if the text is invalid.
  init(typed text: some StringProtocol) throws(UnderstudyError) {
    self.init([])
    if text == description { return }
    for entry in text.split(separator: "; ") { entries.append(try Entry(typed: String(entry))) }
  }
}

/// One call of a scenario, at which a fault or an interruption can occur.
package struct FaultPoint: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The base's name in the scenario and the operation, such as `children.createChild`.
  package let operation: String
  /// The number of the call among those of the operation, starting at one.
  package let call: Int

  /// Creates the point of a call.
  package init(_ operation: String, call: Int) {
    self.operation = operation
    self.call = call
  }

  /// Orders points alphabetically by operation, then by the number of the call.
  package static func < (one: Self, other: Self) -> Bool {
    (one.operation, one.call) < (other.operation, other.call)
  }

  /// The operation and the number of the call.
  package var description: String { "\(operation) call=\(call)" }
}

/// A point as observed in a run.
struct SeenPoint: Hashable, Sendable {
  let point: FaultPoint
  /// The kind of a call; `nil` for a timer of an action.
  ///
  /// That of a publisher changes when it has ended with at most one value: it is a call, and not a stream.
  var interaction: Fault.Interaction?
  let injectionPoint: InjectionPoint
  /// How the method gives its answer.
  var form = CallForm.asynchronous
  /// The number of events that its stream delivered.
  var events = 0
  /// The action that made the call: `""` for one of ``ScenarioRun/act(named:fileID:line:_:)``, or the name of an
  /// interruption; `nil` for neither.
  var action: String?
  /// Whether the action was started again before.
  var isRestarted = false
}
