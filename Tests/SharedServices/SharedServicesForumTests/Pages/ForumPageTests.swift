import Foundation
import SharedServices
import Testing
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct ForumPageTests {
  @Test(arguments: [
    (#"<body class="database_error">x"#, ForumRefusal.databaseDown), (#"<body class="a banned">x"#, .banned),
    (
      #"<body class="standarderror"><p>Top</p><div class="inner"> No &#147;such&#148; <b>thing</b>. </div>"#,
      .other("No “such” thing.")
    ),
    (#"<body class="standarderror">All of it"#, .other("All of it")),
    (
      #"<body class="standarderror" data-forum="26"><div class="inner">This thread is closed!</div>"#,
      .threadClosed
    ),
    ("<body><center>This thread is  <b>closed!</b></center>", .threadClosed),
    // The page has a list, and is refused all the same.
    (#"<body class="database_error" data-forum="26"><table id="forum"></table>"#, .databaseDown),
  ])
  func refusalsAreRecognised(_ html: String, _ refusal: ForumRefusal) {
    #expect(throws: DataError.refused(refusal)) { try ForumPage(Data("<html>\(html)</body></html>".utf8)) }
  }

  /// A thread may have such a title.
  @Test func aTitleIsNoRefusal() throws {
    let list = SamplePage.html(replacing: [("italic", "This thread is closed!")])
    #expect(try SamplePage.read(list).threads.count == 1)
    let thread = #"<html><body data-forum="26"><h1>This thread is closed!</h1></body></html>"#
    #expect(try ForumPage(Data(thread.utf8)).forumID == 26)
    let bookmarks = list.replacing(#" data-forum="26""#, with: "")
    #expect(throws: Never.self) { try ForumPage(Data(bookmarks.utf8)) }
  }

  @Test(arguments: ["", "{\"a\": 1}", "<html></html>", "<html><body></body></html>", "plain words"])
  func otherPagesAreOfNoForum(_ html: String) {
    let error = #expect(throws: DataError.self) { try ForumPage(Data(html.utf8)).forumID }
    if case .parsingError = error {} else { Issue.record("\(String(describing: error))") }
  }
}
