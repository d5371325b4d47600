import Foundation
import UnderstudyTransport

extension Fault {
  /// Every name that a typed rule can end with, with what may follow it.
  public static var typedNames: [String] { FaultName.all.map { $0.name + $0.parameters } }

  /// The fault as people type it, such as `drop-stream:3`; `nil` for one that cannot be typed.
  public var typedName: String? { spelling?.typed }

  /// The fault as Swift where a ``Fault`` is expected, such as `.dropStream(afterEvents: 3)`.
  ///
  /// An answer that is not of the catalogue is spelled with its fields and its body, which needs Foundation. One that a
  /// test handed in cannot be spelled, and is its description.
  public var swiftSpelling: String {
    if let spelling { return spelling.swift }
    guard let answer else { return description }
    let fields = answer.fields.map { "\($0.name.swiftLiteral): \($0.value.swiftLiteral)" }
    let body =
      String(data: answer.body, encoding: .utf8).map { "Data(\($0.swiftLiteral).utf8)" }
      ?? "Data([\(answer.body.map { "\($0)" }.joined(separator: ", "))])"
    let list = fields.isEmpty ? ":" : fields.joined(separator: ", ")
    return ".status(\(answer.status), fields: [\(list)], body: \(body))"
  }

  /// A fault as people type it: its name, and its parameters behind a colon.
  ///
  /// - Throws: `FaultRuleError`, in one line.
  public init(typed text: some StringProtocol) throws(FaultRuleError) {
    let written = Substring(text)
    let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = FaultName.all.first(where: { $0.name == parts.first ?? "" }) else {
      throw FaultRuleError(
        description:
          "\"\(parts.first ?? "")\" is no fault. Faults: \(FaultName.all.map(\.name).joined(separator: ", "))."
      )
    }
    let arguments = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    guard let fault = name.fault(arguments) else {
      let usage =
        name.parameters.isEmpty ? "\(name.name) takes nothing" : "write \(name.name)\(name.parameters)"
      throw FaultRuleError(description: "\"\(written)\" is not how this fault is written: \(usage).")
    }
    self = fault
  }

  private var spelling: FaultSpelling? {
    for name in FaultName.all {
      if let spelling = name.spelling(of: self) { return spelling }
    }
    return nil
  }
}

extension String {
  /// The text as a literal of Swift.
  var swiftLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
