import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any MessageHistoryService {
  /// The contract of every ``MessageHistoryService`` implementation.
  public static var messageHistory: Self {
    Contract("history") {
      Clause.historyPages
      Clause.historyCursors
      Clause.historyFailures
    }
  }
}

extension ServiceCall where Service == any MessageHistoryService {
  /// The only call of the service.
  static func page(of session: StoredSession) -> Self {
    ServiceCall(name: "page") { _ = try await $0.page(of: session.id, after: nil, limit: 5) }
  }
}
