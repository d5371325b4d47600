import Testing
import UnderstudyTesting

/// The arguments of a test case, which Testing does not make public.
@Suite(.stallLimit()) struct TestArgumentsTests {
  @Test(arguments: [1, 2], ["one"])
  func theArgumentsOfACaseAreFound(_ number: Int, _ word: String) throws {
    let testCase = try #require(Test.Case.current)
    let found = TestArguments.values(of: testCase)
    #expect(found.count == 2)
    #expect(found.first as? Int == number && found.last as? String == word)
  }
}
