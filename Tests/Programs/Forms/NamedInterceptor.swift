// A module of a network client, with an interceptor and a session of its own.

import Foundation

enum ClientError: Error {
  case offline
}

// generated
protocol Interceptor: Sendable {
  func adapt(_ headers: [String: String]) async throws(ClientError) -> [String: String]
}

final class Session: Sendable {
  let interceptor: (any Interceptor)?

  init(interceptor: (any Interceptor)?) {
    self.interceptor = interceptor
  }
}

// generated
// logged: session
protocol SessionService: Sendable {
  var session: Session { get }
  func resume(_ session: Session) async throws(ClientError) -> Session
}

// generated
protocol PlainClient: Sendable {
  func data(at url: URL) async throws(ClientError) -> Data
}
