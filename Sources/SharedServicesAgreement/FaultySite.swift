import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
import SharedServicesLive
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyServer
import UnderstudyTransport

/// A fresh backend with one user, and that user's services, one operation of which meets a fault at a seam.
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

  /// Keeps the server up, where there is one.
  private let server: MockServer<SupabaseEmulator>?
  /// What goes wrong on the server's socket, and since ``breakWire()``.
  private let plan = FaultPlan<SupabaseEmulator>()
  private let rule: FaultPlan<SupabaseEmulator>.Rule

  init(_ fault: Fault, at seam: Seam, in operation: Operation) async throws {
    let time = ManualTime(.jumping).time
    backend = InMemorySharedServices.signedIn(
      time: time, replyWriter: ReplyWriter { _, _, _ in Reply(Self.answer) })
    let (method, path) = operation.request
    // A server that refuses connections cannot know what they would have been for.
    rule = fault == .connectionRefused ? .on(.any, fault) : .on(.request(method, path), fault)
    let client: SupabaseClient
    switch seam {
    case .service:
      auth = backend.auth
      children = Intercepted(
        backend.children, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      conversations = Intercepted(
        backend.conversations, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      realtime = Intercepted(
        backend.realtime, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      server = nil
      return
    case .transport:
      let transport = Intercepted(
        InProcessTransport(to: backend.emulator, time: time),
        by: .faults(.on(.request(method, path), fault)), time: time)
      client = try Self.client(of: backend, over: transport, time)
      realtime = SupabaseRealtimeService(client, over: transport)
      server = nil
    case .handler:
      let handler = Intercepted(backend.emulator, by: .faults(.on(.request(method, path), fault)), time: time)
      let transport = InProcessTransport(to: handler, time: time)
      client = try Self.client(of: backend, over: transport, time)
      realtime = SupabaseRealtimeService(client, over: transport)
      server = nil
    case .wire:
      let server = try await MockServer(backend.emulator, by: .faults(plan), time: time)
      // URLSession times out after whole seconds of real time, and no read is tried again so slowly. Where no time-out is
      // waited for, a busy machine shall not bring one about.
      let isWaitedFor = fault.symptom == .transport(.timedOut)
      client = SupabaseClient(
        SupabaseConfiguration(
          projectURL: server.url, apiKey: backend.emulator.apiKey, timeout: .seconds(isWaitedFor ? 1 : 300),
          backOff: .none),
        over: URLSessionTransport(), time: time)
      realtime = SupabaseRealtimeService(client, over: URLSessionTransport())
      self.server = server
    }
    auth = SupabaseAuthService(client)
    children = SupabaseChildrenService(client)
    conversations = SupabaseConversationService(client)
    _ = try await auth.signIn(email: "pat@example.com", password: "password")
    if operation != .history { breakWire() }
  }

  /// Lets the fault happen on the socket from now on, if that is its seam; a history has to be made first.
  func breakWire() {
    if server != nil { plan.add(rule) }
  }

  /// A client of the backend, through a transport that leads to no network.
  private static func client(
    of backend: InMemorySharedServices, over transport: some HTTPTransport, _ time: Time
  ) throws -> SupabaseClient {
    guard let url = URL(string: "http://emulator.invalid") else {
      throw TransportError(.invalidRequest, "The address of the backend is none.")
    }
    return SupabaseClient(
      SupabaseConfiguration(projectURL: url, apiKey: backend.emulator.apiKey), over: transport, time: time)
  }

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
  fileprivate var request: (method: HTTPMethod, path: String) {
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
