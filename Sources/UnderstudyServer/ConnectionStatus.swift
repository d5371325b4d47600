import Foundation
import Understudy
import UnderstudyHTTP

/// The state of one connection of a server, for example to find out why a server does not close.
package struct ConnectionStatus: Sendable, CustomStringConvertible {
  let stage: Stage
  let method: HTTP.Method?
  let url: URL?
  /// The time since the connection entered this state, on the server's clock.
  package let duration: Duration

  /// Whether an exchange is in progress.
  ///
  /// A server that is closing waits for it.
  package var isBusy: Bool { stage != .idle && stage != .farewell && stage != .silence }

  /// The request, the state of the connection, and the duration.
  package var description: String {
    let request = method.map { "\($0) \(url?.path(percentEncoded: true) ?? "")" } ?? "A request"
    let seconds = (duration / .milliseconds(100)).rounded() / 10
    let what =
      switch stage {
      case .idle: "No request"
      case .head: "A request, head in progress"
      case .body: "A request, body in progress"
      case .answer: "\(request), response in progress"
      case .sending: "\(request), client not reading"
      case .silence: "\(request), silent because of a fault"
      case .farewell: "A refused request, connection not closed by the client"
      case .upgraded: "\(request), using another protocol"
      }
    return "\(what) for \(seconds) s"
  }
}
