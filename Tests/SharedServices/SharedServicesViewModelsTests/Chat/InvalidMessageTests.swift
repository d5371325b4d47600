import SharedServices
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

/// What a chat does about messages that cannot be validated.
@MainActor @Suite(.stallLimit()) struct InvalidMessageTests {
  typealias Place = OpenedChat.Place

  private static let session = OpenedChat.sessionID

  @Test(arguments: Place.allCases) func whatCannotBeValidatedIsCountedAndLeftOut(_ place: Place) async throws
  {
    let chat = try OpenedChat(at: place) { server in
      server.say(.user("Why?"), in: Self.session)
      server.say(.unknown(type: "song"), in: Self.session)
      server.say(.assistant("AnyCodableValue(\"Sleep.\")"), in: Self.session)
    }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.assistant("AnyCodableValue(\"cut"))
    chat.say(.user("Go on"))
    try await chat.shows(["> Why?", "< Sleep.", "> Go on"])
    #expect(chat.model.invalidMessageCount == 2)
    #expect(chat.log.count == 3)
    #expect(chat.log.first?.hasPrefix("Message validation failed: Expected one of the roles") == true)
    #expect(chat.log.dropFirst().first?.hasSuffix("was repaired: contentWasWrapped") == true)
    #expect(
      chat.log.last == "Message validation failed: Expected whole content, found \"AnyCodableValue(\"cut\".")
    await chat.leave()
  }

  /// An empty bubble would say that nothing was said.
  @Test(arguments: Place.allCases) func aMessageWhoseContentIsMissingIsNotShown(_ place: Place) async throws {
    let chat = try OpenedChat(at: place) { server in
      server.say(.user("Why?"), in: Self.session)
      var message = PaginatedMessage(id: "m", role: "user", content: "", timestamp: "2026-01-03T12:00:00Z")
      message.warnings = [.contentIsMissing]
      server.store(message, in: Self.session)
    }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.user("Go on"))
    try await chat.shows(["> Why?", "> Go on"])
    #expect(chat.model.invalidMessageCount == 1)
    #expect(
      chat.log == [
        "Message validation failed: Expected whole content, found \"A message of the role user without content\"."
      ])
    await chat.leave()
  }

  /// The normalizer of the app would show the messages of the guide in a page, in the stream, or in both.
  @Test func theNormalizerThatItIsGivenValidatesBothSources() async throws {
    let chat = try OpenedChat(normalizer: UsersOnly()) { server in
      server.say(.user("Why?"), in: Self.session)
      server.say(.assistant("Sleep."), in: Self.session)
    }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.assistant("Rest."))
    chat.say(.user("Go on"))
    try await chat.shows(["> Why?", "> Go on"])
    #expect(chat.model.invalidMessageCount == 2)
    await chat.leave()
  }

  /// Its pieces would be said to be still to come for ever.
  @Test func thePiecesOfAnAnswerThatIsNoneGo() async throws {
    let chat = try OpenedChat()
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let id = chat.server.begin(in: Self.session)
    chat.server.write("AnyCodableValue(\"cut", to: id, in: Self.session)
    try await chat.shows(["< AnyCodableValue(\"cut…"])
    chat.server.finish(id, in: Self.session)
    try await chat.shows([])
    #expect(chat.model.invalidMessageCount == 1)
    await chat.leave()
  }

  /// An answer goes on although it has a part of an unknown type, such as a citation.
  @Test(arguments: Place.allCases) func aPartOfAnUnknownTypeRemovesNothing(_ place: Place) async throws {
    let chat = try OpenedChat(at: place)
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let id = chat.server.begin(in: Self.session)
    chat.server.write("Sleep ", to: id, in: Self.session)
    try await chat.shows(["< Sleep …"])
    chat.announce(id, .unknown(type: "citation"))
    try await chat.timeline.wait { $0.invalid == 1 }
    chat.server.write("helps.", to: id, in: Self.session)
    try await chat.shows(["< Sleep helps.…"])
    chat.server.finish(id, in: Self.session)
    try await chat.shows(["< Sleep helps."])
    #expect(chat.model.invalidMessageCount == 0, "The message is shown.")
    await chat.leave()
  }

  @Test(arguments: Place.allCases) func aMessageCountsOnceHoweverOftenItComes(_ place: Place) async throws {
    let chat = try OpenedChat(at: place, streamFault: .serverError) { server in
      server.say(.unknown(type: "song"), in: Self.session)
      server.say(.user("Why?"), in: Self.session)
    }
    await chat.model.open()
    #expect(chat.model.invalidMessageCount == 1)
    // The second try loads the history again.
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    #expect(chat.model.invalidMessageCount == 1)
    // All of it comes again, under other ids.
    chat.server.silence(Self.session)
    chat.server.renumber(Self.session)
    chat.say(.user("Well?"))
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait { $0.state == .live && $0.bubbles == ["> Why?", "> Well?"] }
    #expect(chat.model.invalidMessageCount == 1)
    await chat.leave()
  }

  @Test func thePiecesOfOneMessageCountOnceAndWhatHasNoIDEachTime() async throws {
    let chat = try OpenedChat()
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    for _ in 1...3 { chat.announce("1", .assistant("Sleep", isDelta: true), at: "soon") }
    chat.say(.user("Go on"))
    try await chat.shows(["> Go on"])
    #expect(chat.model.invalidMessageCount == 1)
    chat.announce("", .user("Who?"))
    for _ in 1...2 { chat.server.announce(.unreadable("nonsense"), in: Self.session) }
    chat.say(.user("And?"))
    try await chat.shows(["> Go on", "> And?"])
    #expect(chat.model.invalidMessageCount == 4)
    await chat.leave()
  }

  /// A server could not find a message without an id, and would deliver everything again.
  @Test func theStreamGoesOnBehindTheLastMessageThatHasAnID() async throws {
    let chat = try OpenedChat { server in
      server.say(.user("Why?"), in: Self.session)
      server.store(
        PaginatedMessage(id: "", role: "user", content: "Who?", timestamp: "2026-01-03T12:00:00Z"),
        in: Self.session)
    }
    let stream = StreamOfNothing()
    let model = ChatViewModel(sessionID: Self.session, history: chat.history, stream: stream)
    await model.open()
    #expect(model.invalidMessageCount == 1)
    #expect(stream.places == [model.messages.last?.id])
    #expect(model.messages.map(\.content) == ["Why?"])
  }
}

/// Refuses all messages that are not the user's.
private struct UsersOnly: MessageNormalizing {
  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError> {
    checked(MessageNormalizer().normalize(paginated))
  }

  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>? {
    MessageNormalizer().normalize(streamEvent).map(checked)
  }

  private func checked(
    _ result: Result<ValidatedMessage, MessageValidationError>
  ) -> Result<ValidatedMessage, MessageValidationError> {
    result.flatMap { $0.role == .user ? .success($0) : .failure(.invalidRole($0.role.rawValue)) }
  }
}
