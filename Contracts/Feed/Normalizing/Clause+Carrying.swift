import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any MessageNormalizing {
  @ContractBuilder<Subject> static var normalizingTools: [Self] {
    Clause("normalizer.tools.page", "The details of a tool in a page are kept, above all its ids.") { trial in
      var payloads = trial.payloads()
      for _ in 0..<100 {
        let (use, result) = (payloads.id(), payloads.id())
        var sample = PaginatedMessage.sample(payloads.id(), role: "toolUse")
        (sample.toolName, sample.toolUseId, sample.toolResultId) = ("search", use, result)
        (sample.toolInputDescription, sample.toolOutput) = ("Look it up", "Found")
        (sample.tokenCount, sample.executionTime) = (payloads.number(0...1_000), 0.5)
        (sample.imagePath, sample.imageData) = ("a.png", Data([1, 2, 3]))
        let message = try trial.message(of: trial.subject.normalize(sample))
        trial.expect(
          [message.id, message.toolUseId, message.toolResultId], equals: [sample.id, use, result], "the ids")
        trial.expect(
          [message.toolName, message.toolInputDescription, message.toolOutput, message.imagePath],
          equals: ["search", "Look it up", "Found", "a.png"], "the texts")
        trial.expect(message.tokenCount, equals: sample.tokenCount, "the tokens")
        trial.expect(message.executionTime, equals: 0.5, "the time")
        trial.expect(message.imageData, equals: sample.imageData, "the image")
        trial.expect(message.warnings, equals: [], "the warnings")
      }
    }

    Clause(
      "normalizer.tools.stream", "On the stream, a use of a tool and its result keep the id that ties them."
    ) {
      trial in
      let tie = trial.uuid().uuidString
      let use = try trial.message(
        of: trial.subject.normalize(
          .sample(
            "1", .toolUse(id: tie, name: "search", input: "{\"for\":\"sleep\"}", inputDescription: "Look"))))
      let result = try trial.message(
        of: trial.subject.normalize(
          .sample("2", .toolResult(id: tie, tool: "search", output: "Found", isSuccess: true))))
      trial.expect([use.id, use.toolUseId, use.toolResultId], equals: ["1", tie, nil], "the ids of the use")
      trial.expect(
        [result.id, result.toolUseId, result.toolResultId], equals: ["2", nil, tie], "the ids of the result")
      trial.expect([use.role, result.role], equals: [.toolUse, .toolResult], "the roles")
      trial.expect([use.toolName, result.toolName], equals: ["search", "search"], "the tools")
      trial.expect(use.toolInputDescription, equals: "Look", "what the tool is to do")
      trial.expect(result.toolOutput, equals: "Found", "what the tool answered")
      trial.expect(use.warnings + result.warnings, equals: [], "the warnings")
    }

    Clause(
      "normalizer.tools.without-id",
      "A tool use without an id is shown with a warning, and without an invented id."
    ) {
      trial in
      for content: StreamContent in [
        .toolUse(id: nil, name: "search", input: "{}"),
        .toolResult(id: nil, tool: "search", output: "Found", isSuccess: false),
      ] {
        let message = try trial.message(of: trial.subject.normalize(.sample("1", content)))
        trial.expect([message.toolUseId, message.toolResultId], equals: [nil, nil], "the ids")
        trial.expect(message.warnings, equals: [.toolIDIsMissing], "the warnings")
      }
    }

    Clause("normalizer.tools.input", "An input that is not valid JSON is kept unchanged, with a warning.") {
      trial in
      for input in ["{\"for\": ", "sleep", "", "{'a': 1}", "[1, 2"] {
        let message = try trial.message(
          of: trial.subject.normalize(.sample("1", .toolUse(id: "t", name: "search", input: input))))
        trial.expect(message.toolInputDescription, equals: input, "the input")
        trial.expect(message.warnings, equals: [.toolInputIsUnreadable], "the warnings of \"\(input)\"")
      }
      let message = try trial.message(
        of: trial.subject.normalize(
          .sample("1", .toolUse(id: "t", name: "search", input: "[1, {\"a\": null}]"))))
      trial.expect(message.warnings, equals: [], "the warnings of JSON")
    }

    Clause("normalizer.tools.output", "What a tool answered is taken out of a wrapper as content is.") {
      trial in
      let message = try trial.message(
        of: trial.subject.normalize(
          .sample(
            "1", .toolResult(id: "t", tool: "search", output: "AnyCodableValue(\"Found\")", isSuccess: true)))
      )
      trial.expect([message.content, message.toolOutput], equals: ["Found", "Found"], "the texts")
      trial.expect(message.warnings, equals: [.contentWasWrapped, .toolOutputWasWrapped], "the warnings")
      var sample = PaginatedMessage.sample("1", content: "Done")
      (sample.role, sample.toolName, sample.toolResultId) = ("toolResult", "search", "t")
      sample.toolOutput = "AnyCodableValue(\"Found\")"
      let stored = try trial.message(of: trial.subject.normalize(sample))
      trial.expect([stored.content, stored.toolOutput], equals: ["Done", "Found"], "the texts of a page")
      trial.expect(stored.warnings, equals: [.toolOutputWasWrapped], "the warnings of a page")
    }
  }

  @ContractBuilder<Subject> static var normalizingStreams: [Self] {
    Clause("normalizer.stream.none", "An event that carries no message becomes none, and no failure.") {
      trial in
      let controls: [ControlMessage] = [
        .connected(), .connected(model: "large"), .history([.sample("1")], hasMore: false),
        .sessionEvent(SessionEvent(action: "updated", sessionID: "s1", projectPath: "/p")),
        .queued(position: 1), .queueCleared, .reconnectComplete(missedCount: 1, fromMessageID: "1"),
        .cursorEvicted(lastMessageID: "1"), .cursorInvalid(lastMessageID: nil), .modelChanged(to: "large"),
        .permissionModeChanged(to: "default"), .stopped(reason: "user"), .ping, .pong(serverTime: nil),
        .interrupted, .unknown(type: "news"),
        .error(StreamFailure(code: "BUSY", message: "Later.", isRecoverable: true)),
      ]
      for control in controls { trial.expect(.control(control), becomes: nil) }
      for content: StreamContent in [
        .progress(ToolProgress(id: "t", tool: "search", elapsed: 1)),
        .usage(TokenUsage(inputTokens: 1, outputTokens: 2)), .state("thinking"),
        .permission(PermissionRequest(id: "p", tool: "search", input: "{}")),
        .question(QuestionRequest(id: "q", questions: [])), .subagentStart(id: "a", description: "Reads"),
        .subagentComplete(id: "a"),
      ] {
        trial.expect(.sample("1", content), becomes: nil)
      }
    }

    Clause(
      "normalizer.stream.empty",
      "A system message without text becomes none, even one that is invalid otherwise; no other message does."
    ) { trial in
      for text in ["", " ", "\n\t"] {
        for subtype in [nil, "init", "progress", "result"] {
          trial.expect(.sample("1", .system(text, subtype: subtype)), becomes: nil)
        }
        trial.expect(
          .message(StreamedMessage(id: "", timestamp: "", content: .system(text))), becomes: nil)
        for content: StreamContent in [
          .user(text), .assistant(text), .assistant(text, isDelta: true), .thinking(text),
          .toolResult(id: "t", tool: "search", output: text, isSuccess: true),
        ] {
          let message = try trial.message(of: trial.subject.normalize(.sample("1", content)))
          trial.expect(message.content, equals: text, "the content of \(content)")
        }
      }
    }

    Clause(
      "normalizer.stream.unreadable", "An unreadable event and an unknown type are failures that contain it."
    ) {
      trial in
      for text in ["", "{", "null", "{\"type\":\"stream\"}"] {
        trial.expect(.unreadable(text), becomes: .failure(.unreadableAnswer(text)))
      }
      trial.expect(.sample("1", .unknown(type: "song")), becomes: .failure(.invalidRole("song")))
    }

    Clause(
      "normalizer.stream.delta",
      "A delta is kept to the letter as a piece of a message that is still to come."
    ) {
      trial in
      for piece in ["Hel", "lo", "", "AnyCodableValue(\"cut", " \n"] {
        let message = try trial.message(
          of: trial.subject.normalize(.sample("1", .assistant(piece, isDelta: true))))
        trial.expect(message.content, equals: piece, "the piece")
        trial.expect(message.isStreaming, "Expected a message that is still to come.")
        trial.expect(message.warnings, equals: [], "the warnings")
      }
    }

    Clause("normalizer.stream.id", "The pieces of a message, its whole and its page have one id.") { trial in
      var payloads = trial.payloads()
      for _ in 0..<100 {
        let id = payloads.id()
        let results: [Result<ValidatedMessage, MessageValidationError>?] = [
          trial.subject.normalize(.sample(id, .assistant("Hel", isDelta: true))),
          trial.subject.normalize(.sample(id, .assistant("lo", isDelta: true))),
          trial.subject.normalize(.sample(id, .assistant("Hello"))),
          trial.subject.normalize(.sample(id, role: "assistant")),
        ]
        let messages = try results.map { try trial.message(of: $0) }
        trial.expect(messages.map(\.id), equals: [id, id, id, id], "the ids")
        trial.expect(
          messages.map(\.isStreaming), equals: [true, true, false, false], "what is still to come")
        trial.expect(
          messages[2] == messages[3], "Expected one message of the stream and the page, found \(messages).")
      }
    }

    Clause(
      "normalizer.stream.without-id",
      "A message without an id cannot be identified, and is a failure."
    ) {
      trial in
      for result in [
        trial.subject.normalize(.sample("", role: "user")),
        trial.subject.normalize(.sample("", .user("Hello"))),
      ] {
        guard case .failure(.unreadableAnswer)? = result else {
          trial.expect(false, "Expected a failure, found \(result as Any).")
          continue
        }
        trial.expect(true, "")
      }
    }
  }
}
