import Testing
import UnderstudyTesting
import UnderstudyText

@Suite(.stallLimit()) struct NearestTests {
  @Test func theNearestWordHasTheFewestDifferences() {
    #expect(["library.type", "library.page", "forum.page"].nearest(to: "libary.typo") == "library.type")
    #expect([String]().nearest(to: "x") == nil)
  }
}
