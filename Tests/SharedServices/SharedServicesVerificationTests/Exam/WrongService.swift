import Testing
import Understudy

/// A wrong implementation that was written from the documentation of a protocol alone.
///
/// The mutants of a contract are written together with its clauses, so each of them fails. A wrong service is written
/// without looking at the clauses: it tests whether the contract covers the documentation.
struct WrongService<Subject: Sendable>: Sendable, CustomTestStringConvertible {
  let implementation: Implementation<Subject>
  /// The mistake in one sentence.
  let mistake: String
  /// The missing clause, until the contract has it; `nil` if the contract detects the mistake.
  let missingClause: Comment?

  var testDescription: String { implementation.name }

  /// Wraps a right implementation.
  init(
    _ name: String, _ mistake: String, around base: Implementation<Subject>, missing: Comment? = nil,
    _ wrap: @escaping @Sendable (Subject) -> Subject
  ) {
    implementation = base.wrapping(as: name, wrap)
    self.mistake = mistake
    missingClause = missing
  }

  /// Expects at least one clause to fail, and runs no further one.
  func expectFailure(of contract: Contract<Subject>) async {
    var hasFailed = false
    for check in contract.checks(of: implementation) where !hasFailed {
      // A value that is never delivered stalls the clause that waits for it. One that is not noticed yet stalls nothing.
      let limit: Duration = missingClause == nil ? .seconds(1) : .seconds(10)
      if case .failed = await check.outcome(stallLimit: limit) { hasFailed = true }
    }
    withKnownIssue(missingClause) {
      #expect(hasFailed, "\(implementation.name) passed all clauses of \(contract.name): \(mistake)")
    } when: {
      missingClause != nil
    }
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// The elements as `change` returns them; those for which it returns `nil` are missing.
  func compactMapped(_ change: @escaping @Sendable (Element) -> Element?) -> AsyncThrowingStream {
    AsyncThrowingStream {
      // The iterators of one stream share its state.
      var iterator = self.makeAsyncIterator()
      while let element = try await iterator.next() {
        if let changed = change(element) { return changed }
      }
      return nil
    }
  }

  /// The elements in a buffer of its own, which is filled regardless of the reader.
  func buffered(_ policy: Continuation.BufferingPolicy) -> AsyncThrowingStream {
    AsyncThrowingStream(bufferingPolicy: policy) { continuation in
      let pump = Task {
        do {
          for try await element in self { continuation.yield(element) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in pump.cancel() }
    }
  }
}
