import Foundation
import SharedServices
import Supabase

/// `AuthService` on supabase-swift.
package struct SupabaseSwiftAuthService: SharedServices.AuthService {
  private let client: SupabaseClient

  package init(_ client: SupabaseClient) {
    self.client = client
  }

  package func signIn(email: String, password: String) async throws(AppError) -> UUID {
    try await AppError.translating { try await client.auth.signIn(email: email, password: password).user.id }
  }

  package func signOut() async throws(AppError) {
    try await AppError.translating { try await client.auth.signOut(scope: .local) }
  }

  package func currentUserID() async throws(AppError) -> UUID {
    guard let user = client.auth.currentSession?.user else { throw .authentication(.notSignedIn) }
    return user.id
  }

  package func refresh() async throws(AppError) {
    try await AppError.translating { _ = try await client.auth.refreshSession() }
  }
}
