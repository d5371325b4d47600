import Testing
import UnderstudyTesting
import UnderstudyText

@Suite(.stallLimit()) struct NearestTests {
  @Test func theNearestWordHasTheFewestDifferences() {
    #expect(["library.type", "library.page", "forum.page"].nearest(to: "libary.typo") == "library.type")
    #expect([String]().nearest(to: "x") == nil)
  }

  @Test(arguments: [
    ("serch", "search"), ("saerch", "search"), ("recieve", "receive"), ("searrch", "search"),
    ("signup", "signUp"),
    ("loadMesages", "loadMessages"), ("delteItem", "deleteItem"), ("fecth", "fetch"),
  ])
  func aLetterThatIsMissingOrSwappedInAWordIsASlip(_ name: String, _ meant: String) {
    #expect(name.isSlip(of: meant) && meant.isSlip(of: name))
  }

  /// Catches a warning about two operations of one service.
  @Test(arguments: [
    ("item", "items"), ("itemOf", "itemsOf"), ("load", "reload"), ("lock", "unlock"), ("remove", "removeAll"),
    ("receive", "received"), ("lastItems", "listItems"), ("chat", "chart"), ("get", "set"),
    ("angel", "angle"),
    ("search", "search"), ("", "a"), ("URL", "URI"), ("addresss", "address"),
  ])
  func otherNamesAreNotSlips(_ name: String, _ other: String) {
    #expect(!name.isSlip(of: other) && !other.isSlip(of: name))
  }

  @Test func aWordIsMisspeltByFewLetters() {
    #expect(["search", "close"].misspelt(as: "serch") == "search")
    #expect(["add", "all"].misspelt(as: "get") == nil)
    #expect([String]().misspelt(as: "x") == nil)
  }
}
