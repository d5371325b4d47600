/// The observation of each fault at each injection point, compared with the expected one.
package struct AgreementReport: Sendable, Hashable, Codable {
  /// The name of the operation under test, such as a service and its method.
  package let name: String
  /// The injection points, in order.
  package let injectionPoints: [String]
  /// The faults that were tested, in order.
  package var rows: [Row]
  /// The faults of the catalogue that were not tested.
  package let missing: [String]

  /// One fault.
  package struct Row: Sendable, Hashable, Codable {
    /// The fault's name in the catalogue, with its parameters.
    package let fault: String
    /// The expected observation.
    package let expected: String
    /// The observations, a cell for each injection point.
    ///
    /// Merged runs have one for each different result at an injection point.
    package var cells: [Cell]

    package init(fault: String, expected: String, cells: [Cell]) {
      self.fault = fault
      self.expected = expected
      self.cells = cells
    }
  }

  /// One fault at one injection point.
  package struct Cell: Sendable, Hashable, Codable {
    /// The name of the injection point.
    package let injectionPoint: String
    /// The result of the comparison.
    package let status: Status
    /// The observation, if it differs from the expected one.
    package let found: String?

    package init(injectionPoint: String, status: Status, found: String? = nil) {
      self.injectionPoint = injectionPoint
      self.status = status
      self.found = found
    }

    /// The observation in words.
    var words: String {
      switch status {
      case .agrees: "as expected"
      case .impossible: "the fault cannot happen there"
      case .differs, .flaky: found ?? "another result"
      }
    }
  }

  /// The result of a comparison.
  package enum Status: String, Sendable, Hashable, Codable {
    /// The observation is as expected.
    case agrees
    /// The observation differs.
    case differs
    /// The observation was not the same in all runs.
    case flaky
    /// The fault does not apply at this injection point.
    case impossible

    /// Whether the status counts as a failure.
    package var isFailure: Bool { self == .differs || self == .flaky }
  }

  package init(name: String, injectionPoints: [String], rows: [Row], missing: [String]) {
    self.name = name
    self.injectionPoints = injectionPoints
    self.rows = rows
    self.missing = missing
  }

  /// The number of injected faults, counted for each injection point.
  package var places: Int { count { $0 != .impossible } }

  /// The number of observations that differ.
  package var disagreements: Int { count(\.isFailure) }

  private func count(_ isCounted: (Status) -> Bool) -> Int {
    rows.reduce(0) { sum, row in sum + injectionPoints.count { row.status(at: $0).map(isCounted) ?? false } }
  }
}

extension AgreementReport.Row {
  /// The result at an injection point over all runs, or `nil` if the fault was not tested there.
  package func status(at injectionPoint: String) -> AgreementReport.Status? {
    let statuses = Set(cells.filter { $0.injectionPoint == injectionPoint }.map(\.status))
    return statuses.count > 1 ? .flaky : statuses.first
  }

  /// Whether the result at any injection point is a failure.
  package var disagrees: Bool { cells.contains { status(at: $0.injectionPoint)?.isFailure == true } }
}
