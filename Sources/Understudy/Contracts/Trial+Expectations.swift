extension Trial {
  /// Notes a violation with this message unless the condition holds.
  public func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) {
    note(condition ? nil : message(), fileID, line)
  }

  /// Notes a violation unless the values are equal.
  ///
  /// - Parameter what: What the value is, for the message, such as `the children after the delete`.
  public func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ what: @autoclosure () -> String = "the value",
    fileID: String = #fileID, line: Int = #line
  ) {
    note(
      actual == expected ? nil : "Expected \(what()) to be \(expected), found \(actual).", fileID, line)
  }

  /// Notes a violation unless the operation throws an error equal to this one.
  public func expect<Failure: Error & Equatable, Value>(
    throws expected: Failure, fileID: String = #fileID, line: Int = #line,
    from operation: () async throws -> Value
  ) async {
    await expect("to throw \(expected)", fileID: fileID, line: line, from: operation) { error in
      (error as? Failure) == expected
    }
  }

  /// Notes a violation unless the operation throws an error that satisfies a predicate.
  ///
  /// - Parameter expectation: What was expected, to follow "Expected", such as `to be refused as a duplicate`.
  public func expect<Value>(
    _ expectation: String, fileID: String = #fileID, line: Int = #line,
    from operation: () async throws -> Value, throwing matches: (any Error) -> Bool
  ) async {
    do {
      let value = try await operation()
      note("Expected the call \(expectation), but it returned \(value).", fileID, line)
    } catch {
      note(matches(error) ? nil : "Expected the call \(expectation), but it threw \(error).", fileID, line)
    }
  }

  /// The value, or the end of the clause with a violation if there is none.
  public func require<Value>(
    _ value: Value?, _ message: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) throws -> Value {
    note(value == nil ? message() : nil, fileID, line)
    guard let value else { throw TrialEnd.requirement }
    return value
  }

  /// What the operation returns, or the end of the clause with a violation if it throws.
  ///
  /// For a call whose success is what the clause promises. An error of any other call is an accident, not a judgement,
  /// and needs nothing but `try`.
  ///
  /// - Parameter expectation: What was expected, to follow "Expected the call", such as `to be a success`.
  public func require<Value>(
    _ expectation: String, fileID: String = #fileID, line: Int = #line,
    from operation: () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await operation()
      note(nil, fileID, line)
      return value
    } catch let end as TrialEnd {
      throw end
    } catch {
      note("Expected the call \(expectation), but it threw \(error).", fileID, line)
      throw TrialEnd.requirement
    }
  }

  private func note(_ message: String?, _ fileID: String, _ line: Int) {
    notes.withLock { notes in
      notes.expectations += 1
      if let message {
        notes.violations.append(Violation(message, fileID: fileID, line: line))
      }
    }
  }
}
