import UnderstudyText

extension UnderstudyReport {
  /// The report as JUnit XML, which CI systems parse.
  ///
  /// The test cases are each clause for each implementation, each fault for each injection point, each invariant of a
  /// scenario, and each clause that must kill a mutant. A missing result is a failed test case.
  ///
  /// - Parameter tool: See ``html(tool:)``.
  package func junit(tool: String? = nil) -> String {
    let rerun = RerunCommands(tool: tool)
    let gaps = gaps + missing
    let suites =
      contracts.map { JUnitSuite($0, rerun) } + agreements.map { JUnitSuite($0, rerun) }
      + sweeps.map { JUnitSuite($0, rerun) } + mutants.map { JUnitSuite($0) } + derived.map { JUnitSuite($0) }
      + (gaps.isEmpty ? [] : [JUnitSuite(gaps: gaps)])
    var markup = Markup()
    markup.literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    let cases = suites.flatMap(\.cases)
    markup.element(
      "testsuites",
      [
        "name": tool ?? "understudy", "tests": "\(cases.count)",
        "failures": "\(cases.count(where: \.isFailure))",
        "errors": "0",
      ]
    ) { markup in
      markup.literal("\n")
      for suite in suites { suite.write(into: &markup) }
    }
    return markup.text + "\n"
  }
}

/// A suite of JUnit test cases.
private struct JUnitSuite {
  /// A test case and its result.
  struct Case {
    enum Ending {
      case passed
      case skipped(String)
      /// A failure with its first line and all details.
      case failed(String, String)
    }

    /// The class name of the case, such as `children.in-memory`.
    let group: String
    let name: String
    var place: (file: String, line: Int)?
    var ending = Ending.passed

    var isFailure: Bool { if case .failed = ending { true } else { false } }
    var isSkipped: Bool { if case .skipped = ending { true } else { false } }
  }

  let name: String
  var cases: [Case] = []

  func write(into markup: inout Markup) {
    markup.element(
      "testsuite",
      [
        "name": name, "tests": "\(cases.count)", "failures": "\(cases.count(where: \.isFailure))",
        "errors": "0",
        "skipped": "\(cases.count(where: \.isSkipped))",
      ]
    ) { markup in
      markup.literal("\n")
      for item in cases {
        let attributes: KeyValuePairs<StaticString, String?> = [
          "classname": item.group, "name": item.name, "file": item.place?.file,
          "line": item.place.map { "\($0.line)" },
        ]
        switch item.ending {
        case .passed: markup.emptyElement("testcase", attributes)
        case .skipped(let reason):
          markup.element("testcase", attributes) { $0.emptyElement("skipped", ["message": reason]) }
        case .failed(let message, let text):
          markup.element("testcase", attributes) { $0.element("failure", ["message": message], text) }
        }
        markup.literal("\n")
      }
    }
    markup.literal("\n")
  }
}

extension JUnitSuite {
  init(_ section: ContractReport, _ rerun: RerunCommands) {
    self.init(name: section.name)
    for clause in section.clauses {
      for implementation in clause.implementations {
        let cells = clause.outcomes.filter { $0.implementation == implementation }
        var item = Case(
          group: "\(section.name).\(implementation)", name: clause.id,
          place: clause.fileID.isEmpty ? nil : (clause.fileID, clause.line))
        switch clause.status(on: implementation) {
        case .skipped: item.ending = .skipped(cells.compactMap(\.outcome.reason).joined(separator: " "))
        case .failed, .flaky:
          let seed = cells.first { $0.outcome.name == "failed" }?.seed ?? 0
          let isFlaky = clause.status(on: implementation) == .flaky
          let runs = isFlaky ? cells.map { "\($0.outcome.name) in a run with seed \($0.seed)" } : []
          let violations = cells.flatMap(\.outcome.violations).map(\.description)
          let commands = rerun.commands(forClause: clause.id, of: section.name, seed: seed).map {
            "Rerun: \($0)"
          }
          item.ending = .failed(
            clause.statement, (runs + violations + commands).joined(separator: "\n"))
        case .passed, nil: break
        }
        cases.append(item)
      }
    }
  }

  init(_ agreement: AgreementReport, _ rerun: RerunCommands) {
    self.init(name: "faults of \(agreement.name)")
    let commands = rerun.commands(forFaultsOf: agreement.name).map { "Rerun: \($0)" }
    for row in agreement.rows {
      for injectionPoint in agreement.injectionPoints {
        var item = Case(group: "faults.\(agreement.name).\(injectionPoint)", name: row.fault)
        switch row.status(at: injectionPoint) {
        case nil: continue
        case .agrees: break
        case .impossible: item.ending = .skipped("The fault cannot happen there.")
        case .differs, .flaky:
          let found = row.cells.filter { $0.injectionPoint == injectionPoint }.map(\.words)
          item.ending = .failed(
            "Expected \(row.expected), found: \(found.joined(separator: "; in another run: "))",
            commands.joined(separator: "\n"))
        }
        cases.append(item)
      }
    }
    for fault in agreement.missing {
      cases.append(
        Case(
          group: "faults.\(agreement.name)", name: fault,
          ending: .failed("The catalogue has this fault, and the agreement has no row for it.", "")))
    }
  }

  init(_ sweep: SweepReport, _ rerun: RerunCommands) {
    self.init(name: "sweep of \(sweep.scenario)")
    let violated = sweep.violations.map(\.invariant).filter { !sweep.invariants.contains($0) }
    for invariant in sweep.invariants + Set(violated).sorted() {
      let violations = sweep.violations.filter { $0.invariant == invariant }
      var item = Case(group: "sweep.\(sweep.scenario)", name: invariant)
      if let first = violations.first {
        let texts = violations.map { violation in
          ([violation.message, "under \(violation.schedule)", sweep.swift(for: violation)]
            + rerun.commands(for: violation, of: sweep).map { "Rerun: \($0)" }).joined(separator: "\n")
        }
        item.ending = .failed("\(first.message) under \(first.schedule)", texts.joined(separator: "\n\n"))
      }
      cases.append(item)
    }
  }

  init(_ matrix: KillMatrix) {
    self.init(name: "mutants of \(matrix.contract)")
    for clause in matrix.clauses {
      var item = Case(group: "mutants.\(matrix.contract)", name: clause.id)
      if clause.kills.isEmpty {
        let results = clause.cells.map { "\($0.mutant) \($0.words)" }
        item.ending = .failed("No mutant is killed by this clause.", results.joined(separator: "\n"))
      }
      cases.append(item)
    }
    if !matrix.failures.isEmpty {
      cases.append(
        Case(
          group: "mutants.\(matrix.contract)", name: "the contract is strong",
          ending: .failed(
            "\(Words.count(matrix.failures.count, "failure"))", matrix.failures.joined(separator: "\n"))))
    }
  }

  init(_ report: DerivedMutantReport) {
    self.init(name: "derived mutants of \(report.contract)")
    var item = Case(
      group: "derived.\(report.contract)", name: "\(report.implementation): each mutant is noticed")
    if !report.failures.isEmpty {
      item.ending = .failed(
        Words.count(report.failures.count, "failure"), report.failures.joined(separator: "\n"))
    }
    cases = [item]
  }

  init(gaps: [String]) {
    self.init(name: "report")
    cases = gaps.map { Case(group: "report", name: "is complete", ending: .failed($0, "")) }
  }
}
