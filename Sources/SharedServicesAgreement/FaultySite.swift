import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
import SharedServicesLive
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyTransport

/// A fresh backend with one user, and that user's services, one operation of which meets a fault at a seam.
///
/// Only the operation meets it: signing in, and what is stored beforehand, do not.
struct FaultySite: Sendable {
  /// What meets the fault: a method of a service, and anywhere else the request that it makes.
  enum Operation: Sendable {
    case createChild, fetchChildren, updateChild, deleteChild
    case startConversation, history, sendMessage
  }

  static let seams: [Seam] = [.service, .transport, .handler]

  /// The backend's own doors, which no fault reaches.
  let backend: InMemorySharedServices
  let auth: any AuthService
  let children: any ChildrenService
  let conversations: any ConversationService

  init(_ fault: Fault, at seam: Seam, in operation: Operation) async throws {
    let time = ManualTime(.jumping).time
    backend = InMemorySharedServices.signedIn(
      time: time, replyWriter: ReplyWriter { _, _, _ in Reply(Self.answer) })
    let transport: any HTTPTransport
    switch seam {
    case .service:
      auth = backend.auth
      children = Intercepted(
        backend.children, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      conversations = Intercepted(
        backend.conversations, by: .faults(FaultPlan(rules: operation.rules(for: fault))), time: time)
      return
    case .transport:
      transport = Intercepted(
        InProcessTransport(to: backend.emulator, time: time),
        by: .faults(.on(.request(operation.request.method, operation.request.path), fault)), time: time)
    case .handler, .wire:
      let handler = Intercepted(
        backend.emulator,
        by: .faults(.on(.request(operation.request.method, operation.request.path), fault)), time: time)
      transport = InProcessTransport(to: handler, time: time)
    }
    guard let url = URL(string: "http://emulator.invalid") else {
      throw TransportError(.invalidRequest, "The address of the backend is none.")
    }
    let client = SupabaseClient(
      SupabaseConfiguration(projectURL: url, apiKey: backend.emulator.apiKey), over: transport, time: time)
    auth = SupabaseAuthService(client)
    children = SupabaseChildrenService(client)
    conversations = SupabaseConversationService(client)
    _ = try await auth.signIn(email: "pat@example.com", password: "password")
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
    }
  }

  /// The rules at the children service: none if it is not one of its methods.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryChildrenService>.Rule] {
    switch self {
    case .createChild: [.on(.createChild, fault)]
    case .fetchChildren: [.on(.fetchChildren, fault)]
    case .updateChild: [.on(.updateChild, fault)]
    case .deleteChild: [.on(.deleteChild, fault)]
    case .startConversation, .history, .sendMessage: []
    }
  }

  /// The rules at the conversation service: none if it is not one of its methods.
  fileprivate func rules(for fault: Fault) -> [FaultPlan<InMemoryConversationService>.Rule] {
    switch self {
    case .createChild, .fetchChildren, .updateChild, .deleteChild: []
    case .startConversation: [.on(.startConversation, fault)]
    case .history: [.on(.history, fault)]
    case .sendMessage: [.on(.sendMessageStream, fault)]
    }
  }
}
