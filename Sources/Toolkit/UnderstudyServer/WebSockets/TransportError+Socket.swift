import Foundation
import UnderstudyHTTP

extension TransportError {
  /// Converts a stream error to the transport error of a pending response; other errors as ``init(wrapping:)``.
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
