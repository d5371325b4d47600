/// What is seen of each fault, which must be the same wherever the fault is put in.
///
/// A double that throws a fault is right only if the live service reports the same when the fault happens on its way.
/// What is to be seen is a table written by hand, so that a mapping which is wrong everywhere is found too.
///
/// ```swift
/// let agreement = FaultAgreement("todos.add", expecting: [(.conflict, "There is already one."), …]) { fault, injectionPoint in
///   await messageOnScreen(afterAddingTo: service(failingWith: fault, at: injectionPoint))
/// }
///
/// @Test(arguments: agreement.cells)
/// func agrees(_ cell: FaultAgreement<String>.Cell) async throws {
///   #expect(try await cell.observe() == cell.expected)
/// }
/// ```
public struct FaultAgreement<Observation: Equatable & Sendable>: Sendable {
  /// A fault, and what is to be seen of it.
  public typealias Row = (fault: Fault, expected: Observation)

  /// What is tried.
  public let name: String
  /// The table, written by hand.
  public let rows: [Row]
  /// Where each fault is put in.
  public let injectionPoints: [InjectionPoint]
  private let observe: @Sendable (Fault, InjectionPoint) async throws -> Observation

  /// An agreement.
  ///
  /// - Parameters:
  ///   - name: What is tried, such as a service and its method.
  ///   - injectionPoints: Where each fault is put in.
  ///   - rows: What is to be seen of each fault.
  ///   - observe: Makes the call while it meets a fault at a injectionPoint, on everything fresh, and says what is seen.
  public init(
    _ name: String, at injectionPoints: [InjectionPoint] = InjectionPoint.allCases, expecting rows: [Row],
    observe:
      @escaping @Sendable (_ fault: Fault, _ injectionPoint: InjectionPoint) async throws -> Observation
  ) {
    self.name = name
    self.rows = rows
    self.injectionPoints = injectionPoints
    self.observe = observe
  }

  /// One fault at one injectionPoint.
  public struct Cell: Sendable, CustomStringConvertible {
    /// What goes wrong.
    public let fault: Fault
    /// Where it is put in.
    public let injectionPoint: InjectionPoint
    /// What is to be seen.
    public let expected: Observation
    fileprivate let name: String
    fileprivate let makeCall: @Sendable (Fault, InjectionPoint) async throws -> Observation

    /// Makes the call, and says what is seen.
    ///
    /// - Throws: What went wrong with the attempt itself.
    public func observe() async throws -> Observation {
      try await makeCall(fault, injectionPoint)
    }

    /// What is tried, the fault and the injectionPoint.
    public var description: String { "\(name), \(fault), \(injectionPoint)" }
  }

  /// Every fault at every injectionPoint where it can happen.
  public var cells: [Cell] {
    rows.flatMap { row in
      injectionPoints.filter { row.fault.applies(to: $0) }.map { injectionPoint in
        Cell(
          fault: row.fault, injectionPoint: injectionPoint, expected: row.expected, name: name,
          makeCall: observe)
      }
    }
  }

  /// The faults of a catalogue that the table does not have.
  public func missing(from catalogue: [Fault]) -> [Fault] {
    let listed = Set(rows.map(\.fault))
    return catalogue.filter { !listed.contains($0) }
  }
}
