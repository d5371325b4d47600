import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive

/// A fresh backend with one user, and that user's services, one operation of which meets a fault at a injectionPoint.
///
/// Only the operation meets it: signing in, and what is stored beforehand, do not.
struct FaultySite: Sendable {
  /// What meets the fault: a method of a service, and anywhere else the request that it makes.
  enum Operation: Sendable {
    case createChild, fetchChildren, updateChild, deleteChild
    case startConversation, history, sendMessage
    case childChanges
  }

  /// The backend's own doors, which no fault reaches.
  let backend: InMemorySharedServices
  let auth: any AuthService
  let children: any ChildrenService
  let conversations: any ConversationService
  let realtime: any RealtimeService

  private let way: FaultyWay<SupabaseEmulator>?

  init(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws {
    let time = TestClock(.immediate).time
    backend = InMemorySharedServices.signedIn(
      time: time, replyWriter: ReplyWriter { _, _, _ in Reply(Self.answer) })
    guard injectionPoint != .service else {
      auth = backend.auth
      children = Intercepted(
        backend.children, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      conversations = Intercepted(
        backend.conversations, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      realtime = Intercepted(
        backend.realtime, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      way = nil
      return
    }
    let (method, path) = operation.request
    let way = try await FaultyWay(
      to: backend.emulator, meeting: fault, at: injectionPoint, in: method, path, time: time)
    let client = SupabaseClient(
      SupabaseConfiguration(
        projectURL: way.url, apiKey: backend.emulator.apiKey, timeout: way.timeout,
        // No read is tried again so slowly as the platform times out.
        backOff: injectionPoint == .wire ? .none : .standard),
      over: way.transport, time: time)
    realtime = SupabaseRealtimeService(client, over: way.transport)
    auth = SupabaseAuthService(client)
    children = SupabaseChildrenService(client)
    conversations = SupabaseConversationService(client)
    self.way = way
    _ = try await auth.signIn(email: "pat@example.com", password: "password")
    if operation != .history { breakWire() }
  }

  /// Lets the fault happen on the socket from now on, if that is its injectionPoint; a history has to be made first.
  func breakWire() { way?.breakWire() }

  /// The events of every answer: an empty one, and one that closes it, among them.
  static let answer: [MessageChunk] = [
    MessageChunk(text: ""), MessageChunk(text: "Naps "), MessageChunk(text: "help 👩‍👧."),
    MessageChunk(text: "", isDone: true),
  ]

  /// Stores a child behind the fault.
  func storedChild() async throws -> Child {
    try await backend.children.createChild(.robin)
  }

  /// The names of the children that are stored.
  var storedNames: [String] {
    get async throws {
      try await backend.children.fetchChildren(userID: NewChild.robin.userID).map(\.name)
    }
  }

  /// What is stored of everything that was said.
  var storedMessages: [String] {
    get throws { try backend.database.select(from: "messages").compactMap { $0["content"].textValue } }
  }

  var hasStoredConversation: Bool {
    get throws { try !backend.database.select(from: "conversations").isEmpty }
  }
}

extension FaultySite.Operation {
  /// How it is asked for over HTTP.
  fileprivate var request: (method: HTTP.Method, path: String) {
    switch self {
    case .createChild: (.post, "/rest/v1/children")
    case .fetchChildren: (.get, "/rest/v1/children")
    case .updateChild: (.patch, "/rest/v1/children")
    case .deleteChild: (.delete, "/rest/v1/children")
    case .startConversation: (.post, "/rest/v1/conversations")
    case .history: (.get, "/rest/v1/messages")
    case .sendMessage: (.post, "/functions/v1/send-message")
    case .childChanges: (.get, "/realtime/v1/websocket")
    }
  }

  /// The rules at the children service: none if it is not one of its methods.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryChildrenService>.Rule] {
    switch self {
    case .createChild: [.on(.createChild, fault)]
    case .fetchChildren: [.on(.fetchChildren, fault)]
    case .updateChild: [.on(.updateChild, fault)]
    case .deleteChild: [.on(.deleteChild, fault)]
    case .startConversation, .history, .sendMessage, .childChanges: []
    }
  }

  /// The rules at the conversation service: none if it is not one of its methods.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryConversationService>.Rule] {
    switch self {
    case .createChild, .fetchChildren, .updateChild, .deleteChild, .childChanges: []
    case .startConversation: [.on(.startConversation, fault)]
    case .history: [.on(.history, fault)]
    case .sendMessage: [.on(.sendMessageStream, fault)]
    }
  }

  /// The rules at the service of changes: none if it is not its method.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryRealtimeService>.Rule] {
    self == .childChanges ? [.on(.childChanges, fault)] : []
  }
}
