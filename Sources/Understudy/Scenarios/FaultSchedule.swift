/// The faults of a scenario's run and the calls into which they are injected.
///
/// ```swift
/// let schedule: FaultSchedule = [.at("children.createChild", call: 1, .conflict)]
/// ```
public struct FaultSchedule: Hashable, Sendable, Codable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// A call and its fault.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The call.
    package let point: FaultPoint
    /// The fault to inject.
    package let fault: Fault

    init(_ point: FaultPoint, _ fault: Fault) {
      self.point = point
      self.fault = fault
    }

    /// Creates an entry that injects a fault into a call of an operation.
    ///
    /// - Parameters:
    ///   - operation: The base's name in the scenario and the operation, such as `children.createChild`.
    ///   - number: The number of the call among those of the operation, starting at one.
    ///   - fault: The fault to inject.
    public static func at(_ operation: String, call number: Int, _ fault: Fault) -> Entry {
      Entry(FaultPoint(operation, call: number), fault)
    }

    /// The entry as text: `children.createChild call=1 conflict`.
    public var description: String { "\(point) \(fault.typedName ?? fault.description)" }

    /// The entry as a Swift expression.
    var swift: String {
      ".at(\(point.operation.swiftLiteral), call: \(point.call), \(fault.swiftSpelling))"
    }
  }

  /// The entries, in no particular order.
  ///
  /// If two entries have the same call, the first applies.
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
    entries.first { $0.point == point }?.fault
  }
}

extension FaultSchedule.Entry: Codable {
  private enum Key: String, CodingKey {
    case operation, call, fault
  }

  /// Creates an entry from text: the operation, `call=` and its number, and the fault with its parameters.
  ///
  /// - Throws: `UnderstudyError` if the text is invalid.
  package init(typed text: String) throws(UnderstudyError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, let fault = words.last, let call = words.dropLast().last, call.hasPrefix("call="),
      let number = Int(call.dropFirst(5)), number > 0
    else {
      throw UnderstudyError(
        """
        Invalid entry of a fault schedule "\(text)". Write an operation, the number of its call and a fault, such as \
        "children.createChild call=1 conflict".
        """)
    }
    self.init(
      FaultPoint(words.dropLast(2).joined(separator: " "), call: number), try Fault(typed: fault))
  }

  /// Decodes an entry whose fault is in text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let point = FaultPoint(
      try container.decode(String.self, forKey: .operation),
      call: try container.decode(Int.self, forKey: .call))
    let name = try container.decode(String.self, forKey: .fault)
    do {
      self.init(point, try Fault(typed: name))
    } catch {
      throw DecodingError.dataCorruptedError(forKey: .fault, in: container, debugDescription: "\(error)")
    }
  }

  /// Encodes the entry with its fault in text form.
  ///
  /// - Throws: `EncodingError` if the fault has no text form.
  public func encode(to encoder: any Encoder) throws {
    guard let name = fault.typedName else {
      throw EncodingError.invalidValue(
        fault,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "The fault \"\(fault)\" has no text form."))
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(point.operation, forKey: .operation)
    try container.encode(point.call, forKey: .call)
    try container.encode(name, forKey: .fault)
  }
}

/// One call of a scenario, into which a fault can be injected.
public struct FaultPoint: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The base's name in the scenario and the operation, such as `children.createChild`.
  public let operation: String
  /// The number of the call among those of the operation, starting at one.
  public let call: Int

  /// Creates the point of a call.
  package init(_ operation: String, call: Int) {
    self.operation = operation
    self.call = call
  }

  /// Orders points alphabetically by operation, then by the number of the call.
  public static func < (one: Self, other: Self) -> Bool {
    (one.operation, one.call) < (other.operation, other.call)
  }

  /// The operation and the number of the call.
  public var description: String { "\(operation) call=\(call)" }
}

/// A point as observed in a run.
struct SeenPoint: Hashable, Sendable {
  let point: FaultPoint
  let interaction: Fault.Interaction
  let injectionPoint: InjectionPoint
  /// The number of events that its stream delivered.
  var events = 0
}
