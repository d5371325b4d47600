extension Report {
  /// The report as JUnit XML, which CI systems show.
  ///
  /// Each clause is a test case for each implementation, each fault for each seam, each invariant of a scenario, and
  /// each clause that must kill a mutant. What is missing is a test case that fails.
  ///
  /// - Parameter tool: As for ``html(tool:)``.
  public func junit(tool: String? = nil) -> String {
    let again = Again(tool: tool)
    let gaps = gaps + missing
    let suites =
      contracts.map { JUnitSuite($0, again) } + agreements.map { JUnitSuite($0, again) }
      + sweeps.map { JUnitSuite($0, again) } + mutants.map(JUnitSuite.init)
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
