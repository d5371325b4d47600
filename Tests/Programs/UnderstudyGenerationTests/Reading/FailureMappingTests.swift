import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

// Catches an error expression that does not compile, or that creates another error.
@Suite(.stallLimit()) struct FailureMappingTests {
  @Test(
    arguments: [
      (nil, "{ TodoError($0) }"), ("AppError.init", "{ AppError($0) }"),
      ("DataError.init(ofStore:)", "{ DataError(ofStore: $0) }"), ("AppError.init(_:)", "{ AppError($0) }"),
      ("makeError", "{ makeError($0) }"), ("Errors.make(of:)", "{ Errors.make(of:)($0) }"),
      ("{ .refused($0) }", "{ ({ .refused($0) })($0) }"),
    ] as [(String?, String)])
  func anExpressionIsCalledWithTheFault(_ expression: String?, _ closure: String) {
    #expect(FailureMapping(expression: expression).closure(for: .typed("TodoError")) == closure)
  }

  @Test func plainThrowsThrowsAnErrorOfTheApp() {
    #expect(
      FailureMapping(expression: "AppError.init").closure(for: .anything) == "{ AppError($0) as any Error }")
  }
}
