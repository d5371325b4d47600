import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
import SharedServicesLive
import Testing
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyTransport

/// What the app is told of each fault, wherever the fault is put in: thrown by a double, injected into the transport
/// of the live service, or into the backend behind it.
struct AgreementTests {
  /// Written by hand; nothing here is computed from the mapping under test.
  static let expectedErrors: [(fault: Fault, error: AppError)] = [
    (.unauthorized, .network(.unauthorized)),
    (.forbidden, .network(.forbidden)),
    (.notFound, .network(.notFound)),
    (.notAcceptable, .network(.notFound)),
    (.conflict, .network(.conflict)),
    (.unprocessable, .validation(.malformed(field: nil))),
    (.rateLimited(retryAfter: .seconds(30)), .network(.rateLimited(retryAfter: .seconds(30)))),
    (.rateLimited(retryAfter: nil), .network(.rateLimited(retryAfter: nil))),
    (.serverError, .network(.serverError)),
    (.unavailable, .network(.serverError)),
    (.gatewayTimeout, .network(.serverError)),
    (.timeout, .network(.timeout)),
    (.offline, .network(.noConnection)),
    (.hostNotFound, .network(.noConnection)),
    (.connectionRefused, .network(.noConnection)),
    (.connectionReset, .network(.connectionLost)),
    (.answerLost, .network(.timeout)),
    (.emptyReply, .network(.connectionLost)),
    (.timeoutInBody(), .network(.timeout)),
    (.truncatedBody(), .network(.connectionLost)),
    (.truncatedChunk(), .network(.connectionLost)),
    (.resetInBody(), .network(.connectionLost)),
    (.malformedJSON, .network(.unreadableAnswer)),
    (.garbage, .network(.unreadableAnswer)),
    (.malformedChunk(), .network(.unreadableAnswer)),
    (.brokenGzip, .network(.unreadableAnswer)),
    (.redirectLoop, .network(.unreadableAnswer)),
    (.cancelled, .cancelled),
  ]

  @Test func theTableHasEveryFailureOfTheCatalogue() {
    let listed = Set(Self.expectedErrors.map(\.fault))
    #expect(Set(Fault.failures(of: .call)).subtracting(listed).isEmpty)
  }

  @Test(arguments: expectedErrors, [Seam.service, .transport, .handler])
  func everyCallReportsTheSameAtEverySeam(
    _ row: (fault: Fault, error: AppError), _ seam: Seam
  ) async throws {
    let (service, child) = try await Self.service(failingWith: row.fault, at: seam)
    await #expect(throws: row.error) {
      try await service.createChild(
        NewChild(userID: child.userID, name: "Kim", age: 9, birthday: child.birthday))
    }
    await #expect(throws: row.error) { try await service.fetchChildren(userID: child.userID) }
    await #expect(throws: row.error) { try await service.updateChild(child) }
    await #expect(throws: row.error) { try await service.deleteChild(id: child.id) }
  }

  /// Of a streamed call this holds up to its first event; a body that breaks later is the stream's.
  @Test(arguments: expectedErrors, [Seam.service, .transport, .handler])
  func everyConversationCallReportsTheSameAtEverySeam(
    _ row: (fault: Fault, error: AppError), _ seam: Seam
  ) async throws {
    let (service, talk) = try await Self.conversations(failingWith: row.fault, at: seam)
    await #expect(throws: row.error) { try await service.startConversation(childID: talk.childID) }
    await #expect(throws: row.error) { try await service.history(conversationID: talk.id) }
    await #expect(throws: row.error) {
      let context = ChildContext(age: 8, temperament: .cautious, goals: [], topics: [])
      for try await _ in try await service.sendMessageStream(
        conversationID: talk.id, message: "Hello", childContext: context)
      {}
    }
  }

  @Test(arguments: [Fault.latency(.seconds(5)), .dribble(bytes: 3)], [Seam.service, .transport, .handler])
  func aDelayChangesNothingButTheTime(_ fault: Fault, _ seam: Seam) async throws {
    let (service, child) = try await Self.service(failingWith: fault, at: seam)
    #expect(try await service.fetchChildren(userID: child.userID) == [child])
  }

  /// A children service with a stored child, of which every call meets the fault.
  private static func service(
    failingWith fault: Fault, at seam: Seam
  ) async throws -> (any ChildrenService, Child) {
    let time = ManualTime(.jumping)
    let services = InMemorySharedServices.signedIn(time: time.time)
    let birthday = try #require(CalendarDate(year: 2017, month: 5, day: 4))
    let child = try await services.children.createChild(
      NewChild(
        userID: InMemoryChildrenService.sampleUserID, name: "Robin", age: 8, birthday: birthday))

    let service: any ChildrenService =
      if seam == .service {
        Intercepted(services.children, by: .faults(.on(.any, fault)), time: time.time)
      } else {
        SupabaseChildrenService(
          try await client(of: services, failingWith: fault, at: seam, on: ["/rest/v1/children"], time))
      }
    return (service, child)
  }

  /// A conversation service with a conversation, of which every call meets the fault.
  private static func conversations(
    failingWith fault: Fault, at seam: Seam
  ) async throws -> (any ConversationService, Conversation) {
    let time = ManualTime(.jumping)
    let services = InMemorySharedServices.signedIn(time: time.time)
    let birthday = try #require(CalendarDate(year: 2017, month: 5, day: 4))
    let child = try await services.children.createChild(
      NewChild(userID: InMemoryChildrenService.sampleUserID, name: "Robin", age: 8, birthday: birthday))
    let talk = try await services.conversations.startConversation(childID: child.id)

    let service: any ConversationService =
      if seam == .service {
        Intercepted(services.conversations, by: .faults(.on(.any, fault)), time: time.time)
      } else {
        SupabaseConversationService(
          try await client(
            of: services, failingWith: fault, at: seam, on: ["/rest/v1/*", "/functions/v1/*"], time))
      }
    return (service, talk)
  }

  /// A client that is signed in, with the fault in its transport or in the backend.
  private static func client(
    of services: InMemorySharedServices, failingWith fault: Fault, at seam: Seam, on paths: [String],
    _ time: ManualTime
  ) async throws -> SupabaseClient {
    let transport: any HTTPTransport =
      if seam == .transport {
        Intercepted(
          InProcessTransport(to: services.emulator, time: time.time),
          by: paths.map { .faults(.on(.request(nil, $0), fault)) }, time: time.time)
      } else {
        InProcessTransport(
          to: Intercepted(
            services.emulator, by: paths.map { .faults(.on(.request(nil, $0), fault)) }, time: time.time),
          time: time.time)
      }
    let client = SupabaseClient(
      SupabaseConfiguration(
        projectURL: try #require(URL(string: "http://emulator.invalid")), apiKey: services.emulator.apiKey),
      over: transport, time: time.time)
    _ = try await SupabaseAuthService(client).signIn(email: "pat@example.com", password: "password")
    return client
  }
}
