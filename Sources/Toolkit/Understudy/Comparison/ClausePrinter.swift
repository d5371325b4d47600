import UnderstudyText

extension Comparison {
  /// The failure of a comparison: the difference and the clause to keep.
  func failure(_ run: Run, report: inout ComparisonReport) -> String? {
    guard let difference = run.difference, let step = run.steps.first(where: { $0.id == difference.step }),
      let operation = step.operation.map({ pool.operations[$0] })
    else { return nil }
    var printer = ClausePrinter(of: self, run)
    let clause = printer.clause()
    report.clause = clause
    let freedom: String? =
      if difference.one.error != nil, difference.other.error != nil {
        ".error(of: \(SwiftText.literal(operation.name)), because: \"…\")"
      } else if let name = differingMember(difference) {
        ".anything(\(SwiftText.literal(name)), in: \(SwiftText.literal(operation.name)), because: \"…\")"
      } else {
        nil
      }
    let remedy = freedom.map { "; or state the freedom: \($0)" } ?? "."
    return """
      \(one.name) and \(other.name) differ in \(operation.name):
        \(one.name): \(difference.one.description)
        \(other.name): \(difference.other.description)
      A clause to keep (\(Words.count(run.steps.count, "step"))); it expects what \(other.name) does:
      \(clause)
      Decide who is right. Keep the clause and correct the other\(remedy)
      """
  }

  /// The member in which two answers differ first.
  private func differingMember(_ difference: (step: Int, one: Answer, other: Answer)) -> String? {
    guard difference.one.error == nil, difference.other.error == nil else { return nil }
    for (path, leaf) in difference.other.tree.leaves where difference.one.tree[path[...]] != .leaf(leaf) {
      let name = ValueTree.name(at: path)
      return name.isEmpty ? nil : name
    }
    return nil
  }
}

/// Prints a program as a clause that expects what the second implementation does.
private struct ClausePrinter<Subject: Sendable> {
  private let comparison: Comparison<Subject>
  private let run: Comparison<Subject>.Run
  private let variable: String
  /// The steps whose answers later code uses.
  private var used: Set<Int> = []
  private var unnamed = false

  init(of comparison: Comparison<Subject>, _ run: Comparison<Subject>.Run) {
    (self.comparison, self.run) = (comparison, run)
    let name = comparison.contract.name.filter { $0.isLetter || $0.isNumber }
    let isTaken = comparison.pool.operations.isEmpty || name.isEmpty || name == "trial"
    variable = isTaken ? "subject" : name
  }

  mutating func clause() -> String {
    guard let difference = run.difference, let last = run.steps.first(where: { $0.id == difference.step }),
      let operation = last.operation.map({ comparison.pool.operations[$0] })
    else { return "" }
    var lines: [String] = []
    var end: [String] = []
    // What is expected at the end may use the answer of any step.
    if let mine = difference.one.events, let its = difference.other.events {
      end = [expectation(of: its, mine, last)]
    }
    // From the end, because a step is named if a later one uses its answer.
    for step in run.steps.reversed() {
      guard step.id == difference.step else {
        lines.insert(line(of: step), at: 0)
        continue
      }
      let comments = [(comparison.one.name, difference.one), (comparison.other.name, difference.other)].map {
        "// \($0): \($1.description.replacing("\n", with: " "))"
      }
      if let its = difference.other.events, difference.one.events != nil {
        end = comments + end
        lines.insert("let \(name(of: step.id)) = \(opening(of: step, its))".under(condition(of: step)), at: 0)
      } else {
        lines.insert(
          contentsOf: comments + expectation(difference.one, difference.other, step, operation), at: 0)
      }
    }
    let fixtures = comparison.given.enumerated().map { number, condition in
      let value = "try await trial.given(\(condition.swift))"
      return used.contains(-1 - number) ? "let \(name(of: -1 - number)) = \(value)" : "_ = \(value)"
    }
    let id = "\(variable).\(operation.baseName).\(comparison.other.name)"
    let body = fixtures + ["let \(variable) = trial.subject"] + lines + end
    return "Clause(\"\(id)\", \"…\") { trial in\n\(body.map { "  \($0)\n" }.joined())}"
  }

  /// A step before the one that differs.
  private mutating func line(of step: ProgramStep) -> String {
    guard let operation = step.operation.map({ comparison.pool.operations[$0] }) else {
      return "try await trial.given(\(condition(of: step) ?? ""))"
    }
    let isUsed = used.contains(step.id)
    let text = call(of: step)
    let answer = run.other[step.id]
    if operation.isStream, let events = answer?.events {
      return "_ = \(opening(of: step, events))".under(condition(of: step))
    }
    if answer?.error != nil { return "_ = try? await \(text)".under(condition(of: step)) }
    let made = isUsed ? "let \(name(of: step.id)) = " : operation.returnsNothing ? "" : "_ = "
    return "\(made)try await \(text)".under(condition(of: step))
  }

  private mutating func opening(of step: ProgramStep, _ events: EventLog) -> String {
    let end = step.condition != nil && events.contents.end != nil ? ".settled()" : ""
    return "await ReceivedEvents { \(call(of: step)) }\(end)"
  }

  private func condition(of step: ProgramStep) -> String? {
    step.condition.map { comparison.under[$0].swift }
  }

  /// The name of the answer of a step.
  private func name(of step: Int) -> String {
    if step < 0 { return "given\(-step)" }
    guard let place = run.steps.firstIndex(where: { $0.id == step }),
      let operation = run.steps[place].operation
    else { return "answer" }
    return "\(comparison.pool.operations[operation].baseName)\(place + 1)"
  }

  // MARK: - Calls

  private mutating func call(of step: ProgramStep) -> String {
    guard let operation = step.operation.map({ comparison.pool.operations[$0] }) else { return "" }
    let given = step.arguments.map { $0.given { run.other[$0]?.tree } }
    let values = operation.values(given) ?? []
    let texts = zip(zip(operation.labels, step.arguments), values).map { pair, value in
      let text = argument(pair.1, value)
      return pair.0 == "_" ? text : "\(pair.0): \(text)"
    }
    if operation.baseName == "subscript" { return "\(variable)[\(texts.joined(separator: ", "))]" }
    // The name of a property has no parentheses.
    if operation.name == operation.baseName { return "\(variable).\(operation.name)" }
    return "\(variable).\(operation.baseName)(\(texts.joined(separator: ", ")))"
  }

  private mutating func argument(_ argument: Argument, _ value: any Sendable) -> String {
    var references: [ValueTree: String] = [:]
    for part in argument.parts {
      let answer = run.other[part.step]?.tree
      guard let original = answer?[part.path[...]] else { continue }
      if argument.literalBase != nil {
        guard let text = reference(to: part.step, part.path, original) else { continue }
        references[part.tree(in: answer)] = part.alteration?.swift(text) ?? text
      } else if argument.changes.isEmpty,
        // An answer with the same members may be of another type.
        let text = reference(to: part.step, part.path, original, of: unwrappedType(of: value))
      {
        return text
      } else {
        for (path, leaf) in original.leaves where leaf.canIdentify && leaf.kind != 3 {
          references[.leaf(leaf)] = reference(to: part.step, part.path + path, .leaf(leaf))
        }
      }
    }
    let text = SwiftText.of(value) { part, label in
      let tree = ValueTree(of: part)
      return references[tree] ?? generated(tree, label)
    }
    return text ?? "/* \(String(describing: value).visible) */"
  }

  /// The property of an earlier answer.
  private mutating func reference(
    to step: Int, _ path: [PathStep], _ tree: ValueTree, of type: Any.Type? = nil
  ) -> String? {
    guard case .returned(let value)? = run.other[step]?.value,
      let path = SwiftText.path(in: value, along: path, to: tree, of: type)
    else { return nil }
    used.insert(step)
    return name(of: step) + path
  }

  /// The reference to a generated value; `nil` if the value is not generated.
  private mutating func generated(_ tree: ValueTree, _ label: String) -> String? {
    guard case .leaf(let leaf) = tree, !run.compared.literals.contains(leaf),
      leaf.kind == 7 || comparison.freedoms.contains(where: { $0.kind == .generated(label) })
    else { return nil }
    if let origin = run.compared.origins[leaf], origin.step != run.difference?.step,
      let text = reference(to: origin.step, origin.path, tree)
    {
      return text
    }
    unnamed = true
    return nil
  }

  // MARK: - Expectations

  private mutating func expectation(
    _ mine: Answer, _ its: Answer, _ step: ProgramStep, _ operation: ServiceOperation<Subject>
  ) -> [String] {
    let call = call(of: step)
    let read = "try await \(call)"
    let under = condition(of: step)
    switch its.value {
    case .neverEnded: return ["// \(comparison.other.name) never ends: \(read)"]
    case .threw(let error):
      let text = SwiftText.of(error, isTyped: false)
      // As Any, because the compiler takes the cast of an error for one that always succeeds.
      let value: Any = error
      if let text, value is any Equatable, !areSwiftEqual(mine.error as Any, value) {
        return ["await trial.expect(throws: \(text)) { \(read.under(under)) }"]
      }
      let kind = SwiftText.literal(String(reflecting: error))
      return [
        "await trial.expect(\"to fail alike\") {",
        "  \(read.under(under))",
        "} throwing: { String(reflecting: $0).utf8.elementsEqual(\(kind).utf8) }",
      ]
    case .returned(let value) where !operation.returnsNothing && mine.error == nil:
      guard case .returned(let other) = mine.value else { break }
      unnamed = false
      var text = expected(value)
      if unnamed || !isWhole(its.tree, operation.name) || areSwiftEqual(other, value) { text = nil }
      if let text, value is any Equatable { return ["trial.expect(\(read.under(under)), equals: \(text))"] }
      let name = name(of: step.id)
      let part = difference(other, value, [], "", operation.name, step.id)
      return ["let \(name) = \(read.under(under))"]
        + [
          part.map { "trial.expect(\(name)\($0.path), equals: \($0.text))" }
            ?? "trial.expect(String(describing: \(name)), equals: \(SwiftText.literal(String(describing: value))))"
        ]
    default: break
    }
    return [
      "\(operation.returnsNothing ? "" : "_ = ")try await trial.require(\"to succeed\") { \(read.under(under)) }"
    ]
  }

  private mutating func expected(_ value: Any) -> String? {
    SwiftText.of(value, isTyped: true) { part, label in generated(ValueTree(of: part), label) }
  }

  /// Whether every member of an answer must be equal.
  private func isWhole(_ tree: ValueTree, _ operation: String) -> Bool {
    !tree.nodes.contains { path, _ in
      guard case .member(let name)? = path.last else { return false }
      return comparison.freedoms.contains { $0.kind == .anything(name) && $0.covers(operation) }
    }
  }

  /// The first part in which two values differ, as properties and the expected value.
  private mutating func difference(
    _ mine: Any, _ its: Any, _ path: [PathStep], _ text: String, _ operation: String, _ step: Int
  ) -> (path: String, text: String)? {
    let (one, other) = (Mirror(reflecting: mine), Mirror(reflecting: its))
    if other.displayStyle == .optional, let first = one.children.first, let second = other.children.first {
      return difference(first.value, second.value, path, text.isEmpty ? text : text + "?", operation, step)
    }
    if other.displayStyle == .collection {
      let (ones, others) = (Array(one.children), Array(other.children))
      if ones.count != others.count { return ("\(text).count", "\(others.count)") }
      for (place, pair) in zip(ones, others).enumerated() {
        let at = path + [.element(place)]
        if areEqual(pair.0.value, pair.1.value, at, operation, step) { continue }
        return difference(
          pair.0.value, pair.1.value, at, "\(text).dropFirst(\(place)).first?", operation, step)
      }
    }
    if other.displayStyle == .struct, SwiftText.of(its) != nil {
      for (mine, its) in zip(one.children, other.children) {
        guard let label = its.label else { continue }
        let at = path + [.member(label)]
        if areEqual(mine.value, its.value, at, operation, step) { continue }
        if let found = difference(mine.value, its.value, at, "\(text).\(label)", operation, step) {
          return found
        }
      }
    }
    // == takes normal forms of a text for equal.
    if its is String, areSwiftEqual(mine, its), let literal = SwiftText.of(its) {
      return ("\(text).unicodeScalars.map(\\.value)", "\(literal).unicodeScalars.map(\\.value)")
    }
    unnamed = false
    let value = expected(its)
    return unnamed ? nil : value.map { (text.hasSuffix("?") ? String(text.dropLast()) : text, $0) }
  }

  private func unwrappedType(of value: Any) -> Any.Type {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional, let child = mirror.children.first else { return type(of: value) }
    return type(of: child.value)
  }

  /// Whether == says so, as an expectation does.
  private func areSwiftEqual(_ one: Any, _ other: Any) -> Bool {
    func equals<Value: Equatable>(_ value: Value) -> Bool { other as? Value == value }
    return (one as? any Equatable).map { equals($0) } ?? false
  }

  private func areEqual(_ mine: Any, _ its: Any, _ path: [PathStep], _ operation: String, _ step: Int) -> Bool
  {
    var compared = run.compared
    return compared.areEqual(ValueTree(of: mine), ValueTree(of: its), at: path, of: operation, step: step)
  }

  private mutating func expectation(of its: EventLog, _ mine: EventLog, _ step: ProgramStep) -> String {
    let contents = its.contents
    let members = Set(
      comparison.freedoms.compactMap { if case .generated(let name) = $0.kind { name } else { nil } })
    var names: [ValueTree: String] = [:]
    for (path, leaf) in contents.trees.flatMap(\.leaves) {
      names[.leaf(leaf)] = generated(.leaf(leaf), ValueTree.name(at: path))
    }
    let naming = names.values.sorted().map { "\(SwiftText.literal($0)): \($0)" }.joined(separator: ", ")
    let list = members.sorted().map(SwiftText.literal).joined(separator: ", ")
    let arguments =
      (list.isEmpty ? [] : ["renaming: [\(list)]"]) + (naming.isEmpty ? [] : ["naming: [\(naming)]"])
    let text = SwiftText.literal(contents.text(renaming: members, naming: names))
    // What the first implementation delivers in addition may come late.
    let isShorter = contents.values.count < mine.contents.values.count || mine.contents.end != nil
    let settled = contents.end == nil && !isShorter ? "after(\(contents.values.count))" : "settled()"
    let read = "\(settled).text(\(arguments.joined(separator: ", ")))"
    return "trial.expect(await \(name(of: step.id)).\(read), equals: \(text))"
  }
}

extension String {
  /// The statement or expression while a condition holds.
  fileprivate func under(_ condition: String?) -> String {
    guard let condition else { return self }
    let isAssignment = hasPrefix("let ") || hasPrefix("_ = ")
    guard isAssignment, let equals = firstRange(of: " = ") else {
      return "try await trial.during(\(condition)) { _ in \(self) }"
    }
    let value = self[equals.upperBound...]
    let isOptional = value.hasPrefix("try? ")
    return self[..<equals.upperBound]
      + "\(isOptional ? "try?" : "try") await trial.during(\(condition)) { _ in \(isOptional ? "try" + value.dropFirst(4) : String(value)) }"
  }
}
