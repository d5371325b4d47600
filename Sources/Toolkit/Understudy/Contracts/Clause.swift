/// One requirement of a contract: a sentence and the check that verifies it.
public struct Clause<Subject: Sendable>: Sendable {
  /// A stable name in dotted parts, such as `children.create.stored`.
  public let id: String

  /// The requirement in one sentence that a reader without knowledge of the code understands.
  package let statement: String

  /// The file that declares the clause, as `Module/File.swift`.
  package let fileID: String

  /// The line of the declaration, starting at 1.
  package let line: Int

  let check: @Sendable (Trial<Subject>) async throws -> Void

  /// Creates a clause.
  ///
  /// - Parameters:
  ///   - id: The name; all parts but the last form the clause's group.
  ///   - statement: The requirement.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  ///   - check: Records expectations through the trial. An error that it throws is a violation; so is a check without
  ///     an expectation.
  public init(
    _ id: String, _ statement: String, fileID: String = #fileID,
    line: Int = #line, check: @escaping @Sendable (Trial<Subject>) async throws -> Void
  ) {
    self.id = id
    self.statement = statement
    self.fileID = fileID
    self.line = line
    self.check = check
  }

  /// The identifier without its last part: `children.create` of `children.create.stored`.
  package var group: String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }
}

extension Clause {
  /// One clause for each fault: while every call fails with it, a call throws the error that it becomes in a double.
  ///
  /// The initializer of the app's error decides which error a double throws under a fault, and so what a screen is tested
  /// with. Nothing else compares it with the client: if it takes a time-out for a failure of the server and the client
  /// does not, all other tests pass.
  ///
  /// ```swift
  /// Contract("todos.failures") {
  ///   Clause.failures("todos.items", thrownAs: TodoError.init) { try await $0.items() }
  /// }
  /// ```
  ///
  /// The clauses request ``Condition/callsFail(with:)``, which each ``Implementation`` of a double and each live service
  /// over a backend sets up.
  ///
  /// Errors are equal if `==` says so, or if they are not `Equatable` and have the same description. Under
  /// ``Fault/cancelled`` a call may also throw `CancellationError`.
  ///
  /// - Parameters:
  ///   - id: What the names of the clauses begin with, such as `todos.items`; the fault follows.
  ///   - faults: The faults; `nil` for all after which a call must fail.
  ///   - error: The error that a fault becomes: `TodoError.init`.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  ///   - call: Makes one call whose answer has a body, so that every fault has an effect, and reads its stream if it
  ///     returns one.
  public static func failures<Failure: Error, Value>(
    _ id: String, under faults: [Fault]? = nil, thrownAs error: @escaping @Sendable (Fault) -> Failure,
    fileID: String = #fileID, line: Int = #line,
    _ call: @escaping @Sendable (Subject) async throws -> Value
  ) -> [Clause] {
    (faults ?? Fault.failures(of: .call) + [.cancelled]).map { fault in
      // A name is also a file name.
      let name = "\(fault)".map { $0.isLetter || $0.isNumber ? $0 : "-" }
      return Clause(
        "\(id).\(String(name))", "A call that fails with \(fault) throws what a double throws.",
        fileID: fileID,
        line: line
      ) { trial in
        try await trial.given(.callsFail(with: fault))
        let expected = error(fault)
        let found: String
        do {
          let value = try await call(trial.subject)
          found = "returned \(value)"
        } catch {
          // A double throws it from a method whose error type permits it.
          let isCancellation = fault == .cancelled && error is CancellationError
          if isCancellation || error.isSame(as: expected) { return trial.expect(true, "") }
          found = "threw \(error)"
        }
        trial.expect(
          false,
          """
          Expected the call to throw \(expected), which \(type(of: expected)).init(_: Fault) makes of \(fault), but it \
          \(found). Screens are tested with \(expected): correct the initializer or the service.
          """, fileID: fileID, line: line)
      }
    }
  }
}

extension Error {
  fileprivate func isSame(as other: any Error) -> Bool {
    func equals<Value: Equatable>(_ value: Value) -> Bool { self as? Value == value }
    // As Any, because the compiler takes the cast of an error for one that always succeeds.
    let value: Any = other
    return (value as? any Equatable).map { equals($0) } ?? ("\(self)" == "\(other)")
  }
}
