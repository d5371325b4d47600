import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct PathPatternTests {
  @Test(arguments: [
    ("/a/*/b", "{name} for one segment"), ("/a*", "{name} for one segment"),
    ("/*/a", "{name} for one segment"),
    ("/todos/:id", "write {id}"), ("/todos/{id", "a whole segment"), ("/todos/id}", "a whole segment"),
    ("/todos/x{id}", "a whole segment"), ("/todos/{}", "a whole segment"), ("/{a}/{a}", "appears twice"),
    ("/todos?x=1", "no query"), ("/todos#x", "no fragment"), ("https://a.example/todos", "without scheme"),
    ("todos", "write \"/todos\""), ("*", "write \"/*\""), ("", "write \"/\""),
  ])
  func aPatternThatCanNeverMatchIsRejected(_ text: String, _ words: String) {
    let error = #expect(throws: UnderstudyError.self) { try PathPattern(parsing: text) }
    #expect(error?.description.hasPrefix("Invalid path pattern \"\(text)\": ") == true)
    #expect(error?.description.contains(words) == true)
  }

  @Test(arguments: [
    ("/todos/{id}", "/todos/7", true), ("/todos/{id}", "/todos/", false),
    ("/todos/{id}", "/todos/7/8", false),
    ("/todos/*", "/todos", true), ("/todos/*", "/todos/7/8", true), ("/todos/*", "/lists/7", false),
    ("/*", "/", true), ("/{a}/b/*", "/x/b", true), ("/{a}/b/*", "/x/c/d", false), ("/a%20b", "/a%20b", true),
    ("/", "", true),
  ])
  func patternsMatchPaths(_ pattern: String, _ path: String, _ matches: Bool) throws {
    #expect(try PathPattern(parsing: pattern).matches(PathPattern.segments(of: path)) == matches)
  }

  /// Without a test, there is no issue; it must still not trap, and say what is wrong.
  @Test func anInvalidPatternInSourceCodeDoesNotTrap() async throws {
    let exit = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      precondition(!PathPattern("/a/*/b", at: nil).matches(["a", "*", "b"]), "It matches no path.")
      precondition(!PathPattern("/?", at: nil).matches([]), "It matches no path.")
    }
    let written = String(decoding: exit.standardErrorContent, as: UTF8.self)
    #expect(written.contains("Invalid path pattern \"/a/*/b\""))
  }
}
