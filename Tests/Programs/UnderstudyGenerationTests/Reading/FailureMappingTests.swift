import Foundation
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
    let mapping = FailureMapping(expression: expression, soleError: "TodoError")
    #expect(mapping.closure(for: .typed("TodoError")) == closure)
  }

  // Catches one function for errors of two types.
  @Test func oneOfSeveralDeclaredErrorsHasItsOwnFunction() {
    let mapping = FailureMapping(expression: "AppError.init")
    #expect(mapping.closure(for: .typed("TodoError")) == "{ TodoError($0) }")
    #expect(mapping.closure(for: .typed("AppError")) == "{ AppError($0) }")
  }

  @Test func plainThrowsThrowsAnErrorOfTheApp() {
    #expect(
      FailureMapping(expression: "AppError.init").closure(for: .anything) == "{ AppError($0) as any Error }")
  }
}

@Suite struct TakenNamesTests {
  /// Catches a type of the toolkit that is new, and makes a model of an adopter with the same name ambiguous.
  @Test func theNamesOfTheToolkitAreThoseOfItsInterface() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized
    let text = try String(contentsOf: root.appending(path: ".api/Understudy.txt"), encoding: .utf8)
    let kinds: Set<Substring> = ["actor", "class", "enum", "macro", "protocol", "struct", "typealias"]
    let names = text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 1, kinds.contains(words[0]), !words[1].contains(".") else { return nil }
      return String(words[1].prefix { $0 != "<" })
    }
    #expect(Set(names) == TakenNames.toolkit)
  }
}
