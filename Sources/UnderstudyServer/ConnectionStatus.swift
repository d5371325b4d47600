import Foundation
import Understudy
import UnderstudyHTTP

/// What one of a server's connections is about, for a person who wonders why the server does not close.
public struct ConnectionStatus: Sendable, CustomStringConvertible {
  let stage: Stage
  let method: HTTP.Method?
  let url: URL?
  /// For how long it has been about this, on the server's time.
  public let duration: Duration

  /// Whether an exchange is under way, which a server that closes waits for.
  public var isBusy: Bool { stage != .idle && stage != .farewell && stage != .silence }

  /// The request, what is under way, and for how long.
  public var description: String {
    let request = method.map { "\($0) \(url?.path(percentEncoded: true) ?? "")" } ?? "A request"
    let seconds = (duration / .milliseconds(100)).rounded() / 10
    let what =
      switch stage {
      case .idle: "No request"
      case .head: "A request, head under way"
      case .body: "A request, body under way"
      case .answer: "\(request), answer under way"
      case .sending: "\(request), client not reading"
      case .silence: "\(request), kept silent"
      case .farewell: "A refused request, client not closing"
      case .upgraded: "\(request), another protocol"
      }
    return "\(what) for \(seconds) s"
  }
}
