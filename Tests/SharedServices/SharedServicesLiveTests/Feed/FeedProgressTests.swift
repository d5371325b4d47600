import SharedServices
import Testing
import UnderstudyTesting

@testable import SharedServicesLive

@Suite(.stallLimit()) struct FeedProgressTests {
  private func message(_ id: String, _ content: StreamContent) -> StreamedMessage {
    StreamedMessage(id: id, timestamp: "2026-01-03T12:00:00Z", content: content)
  }

  private func delta(_ id: String, _ text: String) -> StreamedMessage {
    message(id, .assistant(text, isDelta: true))
  }

  private func page(_ id: String) -> PaginatedMessage {
    PaginatedMessage(id: id, role: "user", content: id, timestamp: "2026-01-03T12:00:00Z")
  }

  @Test func aMessageIsAdmittedOnceWhateverItsSource() {
    var progress = FeedProgress(after: "0")
    #expect(progress.admit(message("1", .user("a"))) != nil)
    #expect(progress.admit(message("1", .user("a"))) == nil)
    #expect(progress.admit([page("1"), page("2")]) == [page("2")])
    #expect(progress.admit(message("2", .user("2"))) == nil)
    #expect(progress.last == "2")
  }

  @Test func aPartOfAnUnknownTypeDoesNotCountAsItsMessage() {
    var progress = FeedProgress(after: nil)
    let citation = message("1", .unknown(type: "citation"))
    #expect(progress.admit(delta("1", "He")) != nil)
    #expect(progress.admit(citation) != nil)
    #expect(progress.admit(citation) == nil)
    #expect(progress.admit(delta("1", "llo")) != nil)
    #expect(progress.admit(message("1", .assistant("Hello"))) != nil)
    #expect(progress.admit(citation) == nil)
  }

  @Test func piecesThatComeAgainAreCutWhereTheyWereTold() {
    var progress = FeedProgress(after: nil)
    #expect(progress.admit(delta("1", "Hé"))?.content == .assistant("Hé", isDelta: true))
    progress.connectionBegins()
    // As one piece, over the place where it was cut.
    #expect(progress.admit(delta("1", "Héllo"))?.content == .assistant("llo", isDelta: true))
    progress.connectionBegins()
    #expect(progress.admit(delta("1", "Hél")) == nil)
    #expect(progress.admit(delta("1", "lo")) == nil)
    #expect(progress.admit(delta("1", " 👩‍👧"))?.content == .assistant(" 👩‍👧", isDelta: true))
    #expect(progress.takeAbandoned() == [])
    #expect(progress.last == nil)
  }

  @Test func aPieceAfterTheWholeIsNoNews() {
    var progress = FeedProgress(after: nil)
    #expect(progress.admit(message("1", .assistant("Hello"))) != nil)
    #expect(progress.admit(delta("1", "Hello")) == nil)
  }

  @Test func anAnswerOfWhichTheNextConnectionHasNothingIsAbandoned() {
    var progress = FeedProgress(after: nil)
    _ = progress.admit(delta("1", "a"))
    _ = progress.admit(delta("2", "b"))
    _ = progress.admit(delta("3", "c"))
    progress.connectionBegins()
    _ = progress.admit(delta("2", "b"))
    _ = progress.admit([page("3")])
    #expect(progress.takeAbandoned() == ["1"])
    #expect(progress.takeAbandoned() == [])
  }

  @Test func startingOverForgetsWhatWasTold() {
    var progress = FeedProgress(after: nil)
    _ = progress.admit(message("1", .user("a")))
    progress.startOver(with: [page("2")])
    #expect(progress.last == "2")
    #expect(progress.admit(message("1", .user("a"))) != nil)
    #expect(progress.admit(message("2", .user("2"))) == nil)
  }

  /// Two messages without ids cannot be distinguished, so each counts, and neither is a place to resume from.
  @Test func messagesWithoutIDsDoNotChangeThePlace() {
    var progress = FeedProgress(after: "0")
    #expect(progress.admit(message("", .user("a"))) != nil)
    #expect(progress.admit(message("", .user("a"))) != nil)
    #expect(progress.admit([page(""), page("")]).count == 2)
    #expect(progress.last == "0")
  }

  @Test func anUnknownTypeIsAdmittedOnceAndDoesNotChangeThePlace() {
    var progress = FeedProgress(after: "0")
    #expect(progress.admit(message("1", .unknown(type: "song"))) != nil)
    #expect(progress.admit(message("1", .unknown(type: "song"))) == nil)
    #expect(progress.last == "0")
  }
}
