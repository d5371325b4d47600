import Foundation
import UnderstudyHTTP

extension TransportError {
  /// What a failure of a stream means to whoever waits for an answer; anything else as ``init(wrapping:)``.
  package init(ofStream error: any Error) {
    guard let error = error as? SocketError else {
      self.init(wrapping: error)
      return
    }
    let code: Code =
      switch error.code {
      case .cancelled: .cancelled
      case .hostNotFound: .hostNotFound
      case .connectionRefused: .connectionRefused
      case .connectionReset, .closed: .connectionLost
      case .timedOut: .timedOut
      case .system(let number): Self.code(of: number)
      }
    self.init(code, error.message, cause: error)
  }

  private static func code(of number: Int32) -> Code {
    switch POSIXErrorCode(rawValue: number) {
    case .ENETDOWN, .ENETUNREACH, .EHOSTUNREACH: .offline
    case .EPIPE, .ECONNABORTED, .ENETRESET: .connectionLost
    default: .unknown
    }
  }
}
