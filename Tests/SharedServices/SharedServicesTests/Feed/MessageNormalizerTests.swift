import Foundation
import SharedServices
import Testing
import UnderstudyTesting

/// The examples of seed 000, written out; what holds of everything is `Contract.messageNormalizer`.
@Suite(.stallLimit()) struct MessageNormalizerTests {
  private let normalizer = MessageNormalizer()

  @Test func aMessageOfAPageHasTheFieldsOfTheSeed() throws {
    let result = normalizer.normalize(
      PaginatedMessage(id: "m1", role: "assistant", content: "Hello", timestamp: "2025-01-03T10:30:00.000Z"))
    #expect(
      try result.get()
        == ValidatedMessage(
          id: "m1", role: .assistant, content: "Hello", timestamp: Date(timeIntervalSince1970: 1_735_900_200),
          isStreaming: false, toolName: nil, toolUseId: nil, toolResultId: nil, toolInputDescription: nil,
          toolOutput: nil, tokenCount: nil, executionTime: nil, imagePath: nil, imageData: nil, warnings: []))
  }

  /// A message with several faults has the reason that seed 000 finds first.
  @Test func theRoleIsCheckedBeforeTheTimestamp() {
    let cut = "AnyCodableValue(\"cut"
    var page = PaginatedMessage(id: "m1", role: "boss", content: cut, timestamp: "soon")
    #expect(normalizer.normalize(page) == .failure(.invalidRole("boss")))
    page.role = "user"
    #expect(normalizer.normalize(page) == .failure(.invalidTimestamp("soon")))
    for (content, error) in [
      (.unknown(type: "song"), .invalidRole("song")), (.user(cut), .invalidTimestamp("soon")),
    ] as [(StreamContent, MessageValidationError)] {
      let message = StreamedMessage(id: "m1", timestamp: "soon", content: content)
      #expect(normalizer.normalize(.message(message)) == .failure(error))
    }
  }

  @Test func aChatMessageHasAllButTheWarnings() throws {
    var page = PaginatedMessage(
      id: "m1", role: "toolResult", content: "AnyCodableValue(\"Found\")", timestamp: "2026-01-03T12:00:00Z")
    (page.toolName, page.toolUseId, page.toolResultId) = ("search", "t1", "t2")
    (page.toolInputDescription, page.toolOutput, page.tokenCount) = ("Look", "Found", 3)
    (page.executionTime, page.imagePath, page.imageData) = (0.25, "a.png", Data([7]))
    let chat = try normalizer.normalize(page).get().toChatMessage()
    #expect([chat.id, chat.role.rawValue, chat.content] == ["m1", "toolResult", "Found"])
    #expect(chat.timestamp == Date(timeIntervalSince1970: 1_767_441_600))
    #expect(!chat.isStreaming)
    #expect([chat.toolName, chat.toolUseId, chat.toolResultId] == ["search", "t1", "t2"])
    #expect([chat.toolInputDescription, chat.toolOutput, chat.imagePath] == ["Look", "Found", "a.png"])
    #expect((chat.tokenCount, chat.executionTime, chat.imageData) == (3, 0.25, Data([7])))
  }

  @Test func failuresSayWhatWasExpectedAndWhatWasFound() {
    #expect(
      MessageValidationError.invalidTimestamp("soon").description
        == "Expected a moment with its zone, such as 2026-01-03T12:00:00Z, found \"soon\".")
    let long = String(repeating: "x", count: 1_000_000)
    #expect(MessageValidationError.corruptedContent(long).description.count < 200)
    #expect(MessageValidationError.invalidRole("boss").description.hasSuffix("found \"boss\"."))
  }
}
