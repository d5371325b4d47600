import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any MessageNormalizing {
  @ContractBuilder<Subject> static var normalizingSources: [Self] {
    Clause(
      "normalizer.sources.fields",
      "Every field of a page is kept in every role, with the others or alone; none is made up."
    ) { trial in
      for role in ChatMessage.Role.allCases {
        for fields in [[]] + PaginatedMessage.optionalFields.map({ [$0] }) + [PaginatedMessage.optionalFields]
        {
          var sample = PaginatedMessage.sample("1", role: role.rawValue)
          for field in fields { field.set(&sample) }
          trial.expect(
            trial.subject.normalize(sample), equals: sample.validated(as: role),
            "a message of the role \(role) with \(fields.map(\.name))")
        }
      }
    }

    Clause("normalizer.sources.one", "A message has the same fields from a page and from the stream.") {
      trial in
      for (content, page) in StreamContent.wholeMessages {
        let streamed = try trial.message(of: trial.subject.normalize(.sample("1", content)))
        let stored = try trial.message(of: trial.subject.normalize(page))
        trial.expect(streamed, equals: stored, "the message of the stream from \(content)")
      }
    }

    Clause(
      "normalizer.sources.refused", "What makes one kind of message a failure makes each, whole or in part."
    ) { trial in
      let parts = [StreamContent.assistant("Hel", isDelta: true)]
      for content in StreamContent.wholeMessages.map(\.content) + parts {
        trial.expect(
          .message(StreamedMessage(id: "1", timestamp: "yesterday", content: content)),
          becomes: .failure(.invalidTimestamp("yesterday")))
        let result = trial.subject.normalize(.sample("", content))
        guard case .failure(.unreadableAnswer)? = result else {
          trial.expect(false, "Expected a failure of \(content) without an id, found \(result as Any).")
          continue
        }
      }
      let cut = "AnyCodableValue(\"cut"
      for content: StreamContent in [
        .assistant(cut), .user(cut), .system(cut), .system(cut, subtype: "result"), .thinking(cut),
        .toolResult(id: "t", tool: "search", output: cut, isSuccess: true),
      ] {
        trial.expect(.sample("1", content), becomes: .failure(.corruptedContent(cut)))
      }
      for role in ChatMessage.Role.allCases {
        trial.expect(
          .sample("1", role: role.rawValue, content: cut), becomes: .failure(.corruptedContent(cut)))
      }
    }

    Clause(
      "normalizer.sources.order",
      "What becomes of a message is independent of those before it, also of one with the same id."
    ) { trial in
      var payloads = trial.payloads()
      var expected: [(message: PaginatedMessage, fate: FeedPayloads.Fate)] = []
      for place in 0..<200 {
        var (message, fate) = payloads.paginated()
        message.id = "\(place % 7)"
        expected.append((message, fate))
      }
      for (message, fate) in expected + expected.reversed() { trial.expect(message, becomes: fate) }
      for (message, fate) in expected {
        let piece = StreamEvent.sample(message.id, .assistant("piece", isDelta: true))
        _ = trial.subject.normalize(piece)
        trial.expect(message, becomes: fate)
      }
    }
  }
}

extension PaginatedMessage {
  /// A field that a message may lack.
  struct OptionalField: Sendable {
    let name: String
    let set: @Sendable (inout PaginatedMessage) -> Void
  }

  static var optionalFields: [OptionalField] {
    [
      .init(name: "toolName") { $0.toolName = "search" }, .init(name: "toolUseId") { $0.toolUseId = "t" },
      .init(name: "toolResultId") { $0.toolResultId = "r" },
      .init(name: "toolInputDescription") { $0.toolInputDescription = "Look" },
      .init(name: "toolOutput") { $0.toolOutput = "Found" }, .init(name: "tokenCount") { $0.tokenCount = 0 },
      .init(name: "executionTime") { $0.executionTime = 0.1 }, .init(name: "imagePath") { $0.imagePath = "" },
      .init(name: "imageData") { $0.imageData = Data([0]) },
    ]
  }

  /// Returns the message of ``sample(_:role:content:)`` with these optional fields, as it is validated.
  func validated(as role: ChatMessage.Role) -> ValidatedMessage {
    ValidatedMessage(
      id: id, role: role, content: content, timestamp: Date(timeIntervalSince1970: 1_767_441_600),
      isStreaming: false, toolName: toolName, toolUseId: toolUseId, toolResultId: toolResultId,
      toolInputDescription: toolInputDescription, toolOutput: toolOutput, tokenCount: tokenCount,
      executionTime: executionTime, imagePath: imagePath, imageData: imageData, warnings: [])
  }
}

extension StreamContent {
  /// Each kind of whole message, with its form in a page.
  static var wholeMessages: [(content: StreamContent, page: PaginatedMessage)] {
    var use = PaginatedMessage.sample("1", role: "toolUse", content: "Look")
    (use.toolName, use.toolUseId, use.toolInputDescription) = ("search", "t", "Look")
    var plainUse = PaginatedMessage.sample("1", role: "toolUse", content: "search")
    (plainUse.toolName, plainUse.toolUseId, plainUse.toolInputDescription) = ("search", "t", "{\"a\":1}")
    var result = PaginatedMessage.sample("1", role: "toolResult", content: "Found")
    (result.toolName, result.toolResultId, result.toolOutput) = ("search", "t", "Found")
    return [
      (.assistant("Hello"), .sample("1", role: "assistant")), (.user("Hello"), .sample("1")),
      (
        .assistant("AnyCodableValue(\"Hello\")"),
        .sample("1", role: "assistant", content: "AnyCodableValue(Hello)")
      ),
      (.thinking("Hello"), .sample("1", role: "thinking")), (.system("Hello"), .sample("1", role: "system")),
      (.system("Hello", subtype: "init"), .sample("1", role: "system")),
      (.system("Hello", subtype: "progress"), .sample("1", role: "system")),
      (.system("Hello", subtype: "result"), .sample("1", role: "resultSuccess")),
      (.toolUse(id: "t", name: "search", input: "{}", inputDescription: "Look"), use),
      (.toolUse(id: "t", name: "search", input: "{\"a\":1}"), plainUse),
      (.toolResult(id: "t", tool: "search", output: "Found", isSuccess: true), result),
      (.toolResult(id: "t", tool: "search", output: "Found", isSuccess: false), result),
    ]
  }
}
