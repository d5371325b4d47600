import Foundation

/// Isolated to the main actor by default.
protocol ProfileRepository {
  func profile(id: UUID) async throws -> Profile
  func save(_ profile: Profile) async throws
  func cached() -> Profile?
}

struct Profile: Equatable {
  let id: UUID
  var name: String
}

enum ProfileError: Error {
  case notFound, offline, server
}
