import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive

/// A new backend with one user, and the user's services, with a fault injected into one operation.
///
/// Signing in and the preparation of stored values are not affected.
struct FaultyProject: Sendable {
  /// The operation with the fault: a method of a service, or the request that it sends.
  enum Operation: Sendable {
    case createChild, fetchChildren, updateChild, deleteChild
    case startConversation, history, sendMessage
    case childChanges
  }

  /// The state of the doubles, or the project, without faults.
  private let server: any BackendServer
  /// Another device of the user, without faults.
  let otherDevice: BackendDevice
  let auth: any AuthService
  let children: any ChildrenService
  let conversations: any ConversationService
  let realtime: any RealtimeService

  private let connection: FaultyConnection<SupabaseEmulator>?

  init(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws {
    let time = TestClock(.immediate).time
    let writer = ReplyWriter { _, _, _ in Reply(Self.answer) }
    guard injectionPoint != .service else {
      let backend = InMemorySharedServices.signedIn(time: time, replyWriter: writer)
      (server, otherDevice) = (backend, try await backend.device(of: Self.account))
      auth = backend.auth
      children = Intercepted(
        backend.children, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      conversations = Intercepted(
        backend.conversations, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      realtime = Intercepted(
        backend.realtime, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      connection = nil
      return
    }
    let backend = SupabaseBackend(time: time, replyWriter: writer)
    try backend.addUser(
      id: Self.account.userID, email: Self.account.email, password: Self.account.password)
    (server, otherDevice) = (backend, try await backend.device(of: Self.account))
    let (method, path) = operation.request
    let connection = try await FaultyConnection(
      to: backend.emulator, meeting: fault, at: injectionPoint, in: method, path, time: time)
    let client = SupabaseClient(
      SupabaseConfiguration(
        projectURL: connection.url, apiKey: backend.emulator.apiKey, timeout: connection.timeout,
        // Without retries on the wire, where each time-out of the platform takes real time.
        backOff: injectionPoint == .wire ? .none : .standard),
      over: connection.transport, clock: time.clock, now: time.date)
    realtime = SupabaseRealtimeService(client, over: connection.transport)
    auth = SupabaseAuthService(client)
    children = SupabaseChildrenService(client)
    conversations = SupabaseConversationService(client)
    self.connection = connection
    _ = try await auth.signIn(Self.account)
    if operation != .history { breakWire() }
  }

  /// Injects the fault on the socket from now on, if that is its injection point; a history must be created first.
  func breakWire() { connection?.breakWire() }

  private static let account = Account(
    email: "pat@example.com", password: "password", userID: InMemorySharedServices.sampleUserID)

  /// The chunks of every answer, including an empty one and an empty last one.
  static let answer: [MessageChunk] = [
    MessageChunk(text: ""), MessageChunk(text: "Naps "), MessageChunk(text: "help 👩‍👧."),
    MessageChunk(text: "", isDone: true),
  ]

  /// Stores a child and bypasses the fault.
  func storedChild() async throws -> Child {
    try await otherDevice.children.createChild(.robin)
  }

  /// The names of the stored children.
  var storedNames: [String] {
    get async throws {
      try await otherDevice.children.fetchChildren(userID: NewChild.robin.userID).map(\.name)
    }
  }

  /// All stored messages.
  var storedMessages: [String] {
    get throws { try server.storedConversations().flatMap(\.messages).map(\.content) }
  }

  var hasStoredConversation: Bool {
    get throws { try !server.storedConversations().isEmpty }
  }
}

extension FaultyProject.Operation {
  /// The request of the operation over HTTP.
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

  /// The rules for the children service; empty for an operation of another service.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryChildrenService>.Rule] {
    switch self {
    case .createChild: [.on(.createChild, fault)]
    case .fetchChildren: [.on(.fetchChildren, fault)]
    case .updateChild: [.on(.updateChild, fault)]
    case .deleteChild: [.on(.deleteChild, fault)]
    case .startConversation, .history, .sendMessage, .childChanges: []
    }
  }

  /// The rules for the conversation service; empty for an operation of another service.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryConversationService>.Rule] {
    switch self {
    case .createChild, .fetchChildren, .updateChild, .deleteChild, .childChanges: []
    case .startConversation: [.on(.startConversation, fault)]
    case .history: [.on(.history, fault)]
    case .sendMessage: [.on(.sendMessageStream, fault)]
    }
  }

  /// The rules for the realtime service; empty for an operation of another service.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryRealtimeService>.Rule] {
    self == .childChanges ? [.on(.childChanges, fault)] : []
  }
}
