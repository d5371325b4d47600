import SharedServices
import Understudy

extension Clause where Subject == any MessageStreamService {
  @ContractBuilder<Subject> static var streamTelling: [Self] {
    Clause("stream.tell.order", "Each message is delivered once, in order and unchanged.") { trial in
      let (speaker, session) = try await trial.followed()
      let contents: [StreamContent] = [
        .user("Hello é 👩‍👧"), .thinking("Well."), .system("Ready", subtype: "init"),
        .assistant("Hi\n\"there\""),
        .toolResult(id: "t", tool: "search", output: "Found", isSuccess: true),
        .toolUse(id: "t", name: "search", input: "{\"for\":\"sleep\"}", inputDescription: "Look"),
        .assistant(""), .system("Done", subtype: "result"),
      ]
      for content in contents { _ = speaker.say(content) }
      trial.expect(try await session.next(contents.count), tells: contents, of: speaker.messages())
    }

    Clause("stream.tell.after", "A client that names a message receives only the messages after it.") {
      trial in
      let stored = try await trial.given(.longSession).messages
      let speaker = try await trial.given(.speaker)
      var sessions: [FollowedSession] = []
      // The ids of these two differ only in case.
      for place in [246, 247] {
        let session = try await trial.following(speaker, after: stored[place].id)
        sessions.append(session)
        let missed = stored[(place + 1)...]
        trial.expect(
          try await session.untilConnected(), tells: missed.map { .system($0.content) }, of: missed)
      }
      let next = speaker.say(.user("Next"))
      for session in sessions {
        let told = try await session.next(1).compactMap { $0 }
        trial.expect(told.wholeMessages, equals: [next], "what comes then")
      }
    }

    Clause("stream.tell.beginning", "A client that names no message receives all messages.") { trial in
      let speaker = try await trial.given(.speaker)
      let ids = (1...20).map { speaker.say(.user("\($0)")) }
      let session = try await trial.following(speaker)
      trial.expect(try await session.untilConnected().wholeMessages, equals: ids, "what was missed")
    }

    Clause("stream.tell.pieces", "An answer comes in pieces and then whole, always with its id.") { trial in
      let (speaker, session) = try await trial.followed()
      let id = speaker.begin()
      let pieces = ["Hel", "lo", " ", " ", "ha", "ha", "👩‍👧", "e\u{301}"]
      for piece in pieces { speaker.write(piece, id) }
      speaker.finish(id)
      let told = try await session.next(pieces.count + 1).compactMap { $0 }
      trial.expect(told.pieces(of: id), equals: pieces.joined(), "the pieces")
      // String equality ignores the normalization form.
      trial.expect(
        Array(told.pieces(of: id).unicodeScalars), equals: Array(pieces.joined().unicodeScalars),
        "the scalars of the pieces")
      trial.expect(told.wholeMessages, equals: [id], "the whole")
      guard case .event(.message(let whole))? = told.last else { return }
      trial.expect(whole.content, equals: .assistant(pieces.joined()), "the whole answer")
      guard case .assistant(let text, _) = whole.content else { return }
      trial.expect(
        Array(text.unicodeScalars), equals: Array(pieces.joined().unicodeScalars),
        "the scalars of the whole answer")
    }

    Clause(
      "stream.tell.begun", "A client that connects during an answer receives the text so far, once."
    ) { trial in
      let speaker = try await trial.given(.speaker)
      let id = speaker.begin()
      speaker.write("Hel", id)
      let session = try await trial.following(speaker)
      trial.expect(try await session.untilConnected().pieces(of: id), equals: "Hel", "what was written")
      speaker.write("lo", id)
      trial.expect(try await session.next(1).compactMap { $0 }.pieces(of: id), equals: "lo", "the next piece")
    }

    Clause(
      "stream.tell.passing", "An event without a message is delivered unchanged to the connected clients."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let events: [StreamEvent] = [
        .control(.queued(position: 1)), .control(.stopped(reason: "user")),
        .sample("1", .usage(TokenUsage(inputTokens: 1, outputTokens: 2, totalCost: 0.5, contextUsed: 3))),
        .sample("2", .state("thinking", tool: "search")),
        .sample(
          "3", .progress(ToolProgress(id: "t", tool: "search", elapsed: 1.5, progress: 50, detail: "half"))),
        .control(.error(StreamFailure(code: "BUSY", message: "Later.", isRecoverable: true))),
        .sample("4", .permission(PermissionRequest(id: "p", tool: "search", input: "{}"))),
        .control(.queueCleared), .control(.queueCleared),
        .control(.interrupted),
      ]
      for event in events { speaker.announce(event) }
      trial.expect(try await session.next(events.count), equals: events.map { .event($0) }, "the events")
    }

    Clause(
      "stream.tell.unreadable",
      "An event that makes no sense is delivered as it is, at the latest when it comes again."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      for text in ["Half an ev", "{}"] {
        speaker.announce(.unreadable(text))
        var told = try await session.next(1)
        if told == [.reconnecting] {
          // It may have been corrupted in transit.
          _ = try await session.untilConnected()
          speaker.announce(.unreadable(text))
          told = try await session.next(1)
        }
        trial.expect(told, equals: [.event(.unreadable(text))], "the update")
      }
    }

    Clause(
      "stream.tell.fields",
      "Every field of every kind of event is delivered, or is missing; unknown kinds are delivered too."
    ) { trial in
      let (speaker, session) = try await trial.followed()
      let contents: [StreamContent] = [
        .toolUse(id: "t", name: "search", input: "{\"z\":1.50,\"a\":[null,12345678901234567890]}"),
        .toolUse(id: nil, name: "search", input: "{", inputDescription: "Look"),
        .toolResult(id: nil, tool: "search", output: "", isSuccess: false),
        .toolResult(id: "t", tool: "search", output: "{}", isSuccess: true),
        .system("Half", subtype: "progress"), .system("Note"), .assistant("{\"a\":1}"),
      ]
      for content in contents { _ = speaker.say(content) }
      for (update, expected) in zip(try await session.next(contents.count), contents) {
        guard case .event(.message(let message))? = update else {
          trial.expect(false, "Expected a message, found \(update as Any).")
          continue
        }
        trial.expect(message.content, equals: expected, "the content")
      }
      var usage = TokenUsage(inputTokens: 1, outputTokens: 2, totalCost: 0.25)
      (usage.cacheReadTokens, usage.cacheCreateTokens) = (3, 4)
      (usage.contextUsed, usage.contextLimit) = (5, 6)
      let failure = StreamFailure(
        code: "BUSY", message: "Later.", isRecoverable: true, retryAfter: .milliseconds(1_500))
      var metadata = SessionEvent.Metadata(
        source: "user", messageCount: 3, lastActivityAt: "2026-01-03T12:00:00Z")
      let bare = metadata
      (metadata.createdAt, metadata.archivedAt) = ("2026-01-02T12:00:00Z", "2026-01-04T12:00:00Z")
      (metadata.title, metadata.customTitle, metadata.summary) = ("Sleep", "Naps", "About naps")
      (metadata.model, metadata.parentSessionID) = ("large", "s0")
      let question = QuestionRequest.Question(
        question: "Which?", header: "Choice",
        options: [.init(label: "A", description: "The first"), .init(label: "B")], isMultipleChoice: true)
      let events: [StreamEvent] = [
        .sample("1", .usage(usage)), .sample("2", .usage(TokenUsage(inputTokens: 0, outputTokens: 0))),
        .sample("3", .progress(ToolProgress(id: "t", tool: "search", elapsed: 0))),
        .sample("4", .state("idle")),
        .sample(
          "5",
          .permission(PermissionRequest(id: "p", tool: "search", input: "{\"z\":1.50}", options: ["allow"]))
        ), .sample("6", .question(QuestionRequest(id: "q", questions: [question]))),
        .sample("7", .question(QuestionRequest(id: "q2", questions: []))),
        .sample("8", .subagentStart(id: "a", description: "Reads")),
        .sample("9", .subagentComplete(id: "a", summary: "Read")), .sample("10", .subagentComplete(id: "b")),
        .sample("11", .unknown(type: "song")), .control(.error(failure)),
        .control(.history([.sample("12"), .sample("13", role: "assistant")], hasMore: true, cursor: "13")),
        .control(.history([], hasMore: false)),
        .control(
          .sessionEvent(
            SessionEvent(action: "updated", sessionID: "s1", projectPath: "/p", metadata: metadata))),
        .control(
          .sessionEvent(SessionEvent(action: "created", sessionID: "s1", projectPath: "/p", metadata: bare))),
        .control(.sessionEvent(SessionEvent(action: "deleted", sessionID: "s1", projectPath: "/p"))),
        .control(.connected(model: "large")), .control(.queued(position: 2)), .control(.queued()),
        .control(.queueCleared), .control(.modelChanged(to: "large", from: "small")),
        .control(.modelChanged(to: "small")), .control(.permissionModeChanged(to: "acceptEdits")),
        .control(.stopped(reason: "timeout")),
        .control(.unknown(type: "news")),
      ]
      for event in events { speaker.announce(event) }
      let told = try await session.next { if case .event(.control(.unknown)) = $0 { true } else { false } }
      for (update, expected) in zip(told, events) {
        trial.expect(update, equals: .event(expected), "the event")
      }
      trial.expect(told.count, equals: events.count, "the number of events")
    }

    Clause("stream.tell.heartbeats", "What the server sends to keep the connection alive is not delivered.") {
      trial in
      let (speaker, session) = try await trial.followed()
      for event in [ControlMessage.ping, .pong(serverTime: nil)] { speaker.announce(.control(event)) }
      speaker.announce(.control(.queueCleared))
      trial.expect(
        try await session.next(1), equals: [.event(.control(.queueCleared))], "the first update")
    }

    Clause("stream.tell.several", "Each of two followers receives every message.") { trial in
      let (speaker, one) = try await trial.followed()
      let other = try await trial.following(speaker)
      _ = try await other.untilConnected()
      let ids = [speaker.say(.user("1")), speaker.say(.user("2"))]
      trial.expect(try await one.next(2).compactMap { $0 }.wholeMessages, equals: ids, "the one's messages")
      trial.expect(
        try await other.next(2).compactMap { $0 }.wholeMessages, equals: ids, "the other's messages")
    }

    Clause("stream.tell.left", "A follower that leaves follows no longer, and the others are not disturbed.")
    {
      trial in
      let (speaker, kept) = try await trial.followed()
      let followers = try await trial.given(.followersAreCounted)
      try await Self.comeAndGo(trial, speaker, followers)
      trial.expect(await followers(1), equals: 1, "the number of followers")
      let id = speaker.say(.user("1"))
      trial.expect(try await kept.next(1).compactMap { $0 }.wholeMessages, equals: [id], "the messages")
    }
  }

  /// Follows a session and has stopped following it when this returns.
  private static func comeAndGo(
    _ trial: Trial<Subject>, _ speaker: FeedSpeaker, _ followers: FollowerCount
  ) async throws {
    let session = try await trial.following(speaker)
    _ = try await session.untilConnected()
    trial.expect(await followers(2), equals: 2, "the number of followers before")
  }
}
