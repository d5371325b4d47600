/// Which calls of a scenario meet which fault; all others meet none.
///
/// ```swift
/// let schedule: FaultSchedule = [.at("children.createChild", call: 1, .conflict)]
/// ```
public struct FaultSchedule: Hashable, Sendable, Codable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// A call, and what it meets.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The call.
    public let point: FaultPoint
    /// What it meets.
    public let fault: Fault

    init(_ point: FaultPoint, _ fault: Fault) {
      self.point = point
      self.fault = fault
    }

    /// A call of an operation meets a fault.
    ///
    /// - Parameters:
    ///   - operation: The base's name in the scenario and the operation, such as `children.createChild`.
    ///   - number: Which call of the operation, from one.
    ///   - fault: What it meets.
    public static func at(_ operation: String, call number: Int, _ fault: Fault) -> Entry {
      Entry(FaultPoint(operation, call: number), fault)
    }

    /// The entry as people type it: `children.createChild call=1 conflict`.
    public var description: String { "\(point) \(fault.typedName ?? fault.description)" }

    /// The entry as Swift.
    var swift: String {
      ".at(\(point.operation.swiftLiteral), call: \(point.call), \(fault.swiftSpelling))"
    }
  }

  /// In no particular order; of two for the same call the first counts.
  public var entries: [Entry]

  /// A schedule of these faults.
  public init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// A schedule of these faults.
  public init(arrayLiteral entries: Entry...) {
    self.init(entries)
  }

  /// The entries as people type them, with semicolons between them; `no fault` if there are none.
  public var description: String {
    entries.isEmpty ? "no fault" : entries.map(\.description).joined(separator: "; ")
  }

  /// The schedule as an expression of Swift where one is expected.
  public var swiftSpelling: String { "[\(entries.map(\.swift).joined(separator: ", "))]" }

  /// What a call meets.
  func fault(at point: FaultPoint) -> Fault? {
    entries.first { $0.point == point }?.fault
  }
}

extension FaultSchedule.Entry: Codable {
  private enum Key: String, CodingKey {
    case operation, call, fault
  }

  /// An entry as people type it: the operation, `call=` and its number, and the fault with its parameters.
  ///
  /// - Throws: `FaultSyntaxError`, in one line.
  public init(typed text: String) throws(FaultSyntaxError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, let fault = words.last, let call = words.dropLast().last, call.hasPrefix("call="),
      let number = Int(call.dropFirst(5)), number > 0
    else {
      throw FaultSyntaxError(
        """
        "\(text)" does not say which call meets which fault: write an operation, the number of its call and a fault, \
        such as "children.createChild call=1 conflict".
        """)
    }
    self.init(
      FaultPoint(words.dropLast(2).joined(separator: " "), call: number), try Fault(typed: fault))
  }

  /// Reads an entry with its fault as people type it.
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

  /// Writes the entry with its fault as people type it.
  ///
  /// - Throws: `EncodingError` for a fault that cannot be typed.
  public func encode(to encoder: any Encoder) throws {
    guard let name = fault.typedName else {
      throw EncodingError.invalidValue(
        fault,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(fault) cannot be typed."))
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(point.operation, forKey: .operation)
    try container.encode(point.call, forKey: .call)
    try container.encode(name, forKey: .fault)
  }
}
