/// On the main actor, with settable properties.
@MainActor protocol PlayerControlling: AnyObject {
  var isPlaying: Bool { get }
  var volume: Double { get set }
  var title: String? { get set }
  func play(_ track: Track) async throws(PlayerError)
  func pause()
  func queue() async -> [Track]
  nonisolated func prefetch(_ tracks: [Track]) async
}

struct Track: Equatable, Sendable {
  let name: String
  let seconds: Int
}

enum PlayerError: Error {
  case notAuthorized, trackMissing, busy(retryAfter: Duration?), failed(reason: String)
}
