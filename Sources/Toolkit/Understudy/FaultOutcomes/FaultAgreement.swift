/// A table of faults and what an app shows for each, checked at every injection point.
///
/// A double that throws a fault is right only if the live service reports the same for the corresponding network
/// failure. The expected observations are written by hand, so the check also finds a mapping that is wrong at every
/// injection point.
///
/// ```swift
/// let agreement = FaultAgreement("todos.add", expecting: [(.conflict, "There is already one."), …]) { fault, point in
///   await messageOnScreen(afterAddingTo: service(failingWith: fault, at: point))
/// }
///
/// @Test(arguments: agreement.cells)
/// func agrees(_ cell: FaultAgreement<String>.Cell) async throws {
///   #expect(try await cell.observe() == cell.expected)
/// }
/// ```
package struct FaultAgreement<Observation: Equatable & Sendable>: Sendable {
  /// A fault and its expected observation.
  package typealias Row = (fault: Fault, expected: Observation)

  /// The name of the operation under test.
  package let name: String
  /// The expected observation of each fault.
  package let rows: [Row]
  /// The injection points to check.
  package let injectionPoints: [InjectionPoint]
  private let observe: @Sendable (Fault, InjectionPoint) async throws -> Observation

  /// Creates an agreement.
  ///
  /// - Parameters:
  ///   - name: The operation under test, such as a service and its method.
  ///   - injectionPoints: Where each fault is injected.
  ///   - rows: The expected observation of each fault.
  ///   - observe: Makes the call with a fault injected at an injection point, on fresh instances, and returns the
  ///     observation.
  package init(
    _ name: String, at injectionPoints: [InjectionPoint] = InjectionPoint.allCases, expecting rows: [Row],
    observe:
      @escaping @Sendable (_ fault: Fault, _ injectionPoint: InjectionPoint) async throws -> Observation
  ) {
    self.name = name
    self.rows = rows
    self.injectionPoints = injectionPoints
    self.observe = observe
  }

  /// One fault at one injection point.
  package struct Cell: Sendable, CustomStringConvertible {
    /// The fault.
    package let fault: Fault
    /// Where the fault is injected.
    package let injectionPoint: InjectionPoint
    /// The expected observation.
    package let expected: Observation
    fileprivate let name: String
    fileprivate let makeCall: @Sendable (Fault, InjectionPoint) async throws -> Observation

    /// Makes the call and returns the observation.
    ///
    /// - Throws: An error of the attempt itself.
    package func observe() async throws -> Observation {
      try await makeCall(fault, injectionPoint)
    }

    /// The operation, the fault and the injection point.
    package var description: String { "\(name), \(fault), \(injectionPoint)" }
  }

  /// Every fault at every injection point to which it applies.
  package var cells: [Cell] {
    rows.flatMap { row in
      injectionPoints.filter { row.fault.applies(to: $0) }.map { injectionPoint in
        Cell(
          fault: row.fault, injectionPoint: injectionPoint, expected: row.expected, name: name,
          makeCall: observe)
      }
    }
  }

  /// The faults of a catalogue that are missing from the table.
  package func missing(from catalogue: [Fault]) -> [Fault] {
    let listed = Set(rows.map(\.fault))
    return catalogue.filter { !listed.contains($0) }
  }
}
