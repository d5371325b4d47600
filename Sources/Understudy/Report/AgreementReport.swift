/// What each fault looks like at each injectionPoint, beside what is expected.
package struct AgreementReport: Sendable, Hashable, Codable {
  /// What was tested, such as a service and its method.
  package let name: String
  /// The injectionPoints at which faults were injected, in order.
  package let injectionPoints: [String]
  /// The faults that were tested, in order.
  package var rows: [Row]
  /// The faults of the catalogue that were not.
  package let missing: [String]

  /// One fault.
  package struct Row: Sendable, Hashable, Codable {
    /// The fault's name in the catalogue, with its parameters.
    package let fault: String
    /// What is expected.
    package let expected: String
    /// What was found, a cell for each injectionPoint.
    ///
    /// Merged runs have one for each different result at a injectionPoint.
    package var cells: [Cell]

    package init(fault: String, expected: String, cells: [Cell]) {
      self.fault = fault
      self.expected = expected
      self.cells = cells
    }
  }

  /// One fault at one injectionPoint.
  package struct Cell: Sendable, Hashable, Codable {
    /// The name of the injectionPoint.
    package let injectionPoint: String
    /// How what was found compares with what is expected.
    package let status: Status
    /// What was found, if it differs.
    package let found: String?

    package init(injectionPoint: String, status: Status, found: String? = nil) {
      self.injectionPoint = injectionPoint
      self.status = status
      self.found = found
    }

    /// What was found, in words.
    var words: String {
      switch status {
      case .agrees: "as expected"
      case .impossible: "the fault cannot happen there"
      case .differs, .flaky: found ?? "another result"
      }
    }
  }

  /// How what was found compares with what is expected.
  package enum Status: String, Sendable, Hashable, Codable {
    /// It is the same.
    case agrees
    /// It differs.
    case differs
    /// It was not the same in all runs.
    case flaky
    /// The fault cannot happen there.
    case impossible

    /// Whether it counts as a failure.
    package var isFailure: Bool { self == .differs || self == .flaky }
  }

  package init(name: String, injectionPoints: [String], rows: [Row], missing: [String]) {
    self.name = name
    self.injectionPoints = injectionPoints
    self.rows = rows
    self.missing = missing
  }

  /// The number of injected faults, counted for each injectionPoint.
  package var places: Int { count { $0 != .impossible } }

  /// How many of them differ from what is expected.
  package var disagreements: Int { count(\.isFailure) }

  private func count(_ isCounted: (Status) -> Bool) -> Int {
    rows.reduce(0) { sum, row in sum + injectionPoints.count { row.status(at: $0).map(isCounted) ?? false } }
  }
}

extension AgreementReport.Row {
  /// The result at a injectionPoint over all runs, or `nil` if the fault was not tested there.
  package func status(at injectionPoint: String) -> AgreementReport.Status? {
    let statuses = Set(cells.filter { $0.injectionPoint == injectionPoint }.map(\.status))
    return statuses.count > 1 ? .flaky : statuses.first
  }

  /// Whether the result at any injectionPoint is a failure.
  package var disagrees: Bool { cells.contains { status(at: $0.injectionPoint)?.isFailure == true } }
}
