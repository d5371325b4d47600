import Foundation
import SharedServices
import Supabase

/// `ChildrenService` on supabase-swift.
package struct SupabaseSwiftChildrenService: ChildrenService {
  private let client: SupabaseClient
  private let refresh: SharedRefresh

  package init(_ client: SupabaseClient) {
    self.client = client
    refresh = SharedRefresh(client)
  }

  package func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try await signedIn {
      try await client.from("children").insert(ChildRow.Values(child, userID: child.userID))
        .select().single().execute().value as ChildRow
    }.child
  }

  package func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try await signedIn {
      try await client.from("children").select().eq("user_id", value: userID)
        .order("created_at", ascending: false).order("id", ascending: false).execute().value as [ChildRow]
    }.map(\.child)
  }

  package func updateChild(_ child: Child) async throws(AppError) -> Child {
    try await signedIn {
      try await client.from("children").update(ChildRow.Values(NewChild(child), userID: nil))
        .eq("id", value: child.id).select().single().execute().value as ChildRow
    }.child
  }

  package func deleteChild(id: UUID) async throws(AppError) {
    let answer = try await signedIn {
      try await client.from("children").delete(returning: .minimal).eq("id", value: id).execute().data
    }
    // Whatever says anything is not PostgREST.
    if !answer.isEmpty { throw .network(.unreadableAnswer) }
  }

  /// Makes a call as whoever is signed in, and once more with a new token if the server refuses the one that there is.
  ///
  /// supabase-swift refreshes by the device's clock alone; the contract showed that a token which the server refuses
  /// earlier ends the session for the user.
  private func signedIn<Value: Sendable>(
    _ call: @Sendable () async throws -> Value
  ) async throws(AppError) -> Value {
    guard let token = client.auth.currentSession?.accessToken else { throw .authentication(.notSignedIn) }
    do throws(AppError) {
      return try await AppError.translating(call)
    } catch .network(.unauthorized) {
      do throws(AppError) {
        try await AppError.translating { try await refresh.replace(token) }
      } catch .authentication(.notSignedIn) {
        // supabase-swift has dropped the session that the server ended. There was one when the call began.
        throw .network(.unauthorized)
      }
      return try await AppError.translating(call)
    }
  }
}

/// Refreshes a token once for all calls that found it refused.
private actor SharedRefresh {
  private let client: SupabaseClient
  private var running: Task<Void, any Error>?

  init(_ client: SupabaseClient) {
    self.client = client
  }

  func replace(_ refused: String) async throws {
    if let running { return try await running.value }
    guard client.auth.currentSession?.accessToken == refused else { return }
    let task = Task { [client] in _ = try await client.auth.refreshSession() }
    running = task
    defer { running = nil }
    try await task.value
  }
}

extension NewChild {
  /// What a client may write of a child that is stored.
  fileprivate init(_ child: Child) {
    self.init(
      userID: child.userID, name: child.name, age: child.age, birthday: child.birthday, goals: child.goals,
      topics: child.topics, temperament: child.temperament, talkativeness: child.talkativeness,
      sensitivity: child.sensitivity, accountability: child.accountability)
  }
}
