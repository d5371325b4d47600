/// The catalogue by names that people can type: `conflict`, `drop-stream:3`, `latency:200ms`; and by those of Swift.
struct FaultName: Sendable {
  let name: String
  /// What may follow the name behind a colon, as it stands in a usage text; empty if nothing may.
  let parameters: String
  /// `nil` if the arguments are not what it takes.
  private let make: @Sendable ([Substring]) -> Fault?
  /// `nil` if the fault is another.
  private let spell: @Sendable (Fault) -> FaultSpelling?

  /// A fault with parameters of its own.
  init(
    _ name: String, _ parameters: String, _ make: @escaping @Sendable ([Substring]) -> Fault?,
    spell: @escaping @Sendable (Fault) -> FaultSpelling?
  ) {
    self.name = name
    self.parameters = parameters
    self.make = make
    self.spell = spell
  }

  /// A fault without any.
  init(_ name: String, _ swift: String, _ fault: Fault) {
    self.init(name, "") {
      $0.isEmpty ? fault : nil
    } spell: {
      $0.isLike(fault) ? FaultSpelling(typed: name, swift: ".\(swift)") : nil
    }
  }

  /// A fault that happens after so many bytes or events, or at one.
  ///
  /// - Parameters:
  ///   - swift: Its name in Swift.
  ///   - label: The label of the number in Swift, if it has one.
  init(
    _ name: String, counting what: String, _ swift: String, _ label: String?,
    _ fault: @escaping @Sendable (Int) -> Fault
  ) {
    self.init(name, "[:<\(what)>]") { arguments in
      guard let first = arguments.first else { return fault(1) }
      guard arguments.count == 1, let count = Int(first), count >= 0 else { return nil }
      return fault(count)
    } spell: { other in
      guard let count = other.count, other.isLike(fault(count)) else { return nil }
      return FaultSpelling(
        typed: "\(name):\(count)", swift: ".\(swift)(\(label.map { $0 + ": " } ?? "")\(count))")
    }
  }

  func fault(_ arguments: [Substring]) -> Fault? { make(arguments) }

  /// How a fault is written, if it is one of this name.
  func spelling(of fault: Fault) -> FaultSpelling? { spell(fault) }
}

/// How one fault is written.
struct FaultSpelling: Sendable, Hashable {
  /// As people type it in a command.
  let typed: String
  /// As an expression of Swift where a `Fault` is expected.
  let swift: String
}

extension Fault {
  /// Whether it does the same; its description may be another.
  fileprivate func isLike(_ other: Fault) -> Bool { effect == other.effect }

  /// The number of bytes, events or messages in the effect, if it has one.
  fileprivate var count: Int? {
    switch effect {
    case .cut(let count, _), .spoiled(.chunk(let count)): count
    case .stream(let effect):
      switch effect {
      case .drop(let count), .end(let count), .stall(let count), .corrupt(let count),
        .duplicate(let count), .reorder(let count), .close(_, let count), .abort(let count),
        .badFrame(let count):
        count
      case .unterminated, .splitCharacters: nil
      }
    default: nil
    }
  }
}
