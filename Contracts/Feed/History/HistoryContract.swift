import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any MessageHistoryService {
  /// The contract of every ``/SharedServices/MessageHistoryService`` implementation.
  public static var messageHistory: Self {
    Contract("history") {
      Clause.historyPages
      Clause.historyCursors
      Clause.historySessions
      Clause.historyFailures
      Clause.historyCancellation
    }
  }
}

extension ServiceCall where Service == any MessageHistoryService {
  /// The only call of the service, for the first page and for a later one.
  static func pages(of session: StoredSession) -> [Self] {
    [
      ServiceCall(name: "page") { _ = try await $0.page(of: session.id, after: nil, limit: 5) },
      ServiceCall(name: "later page") {
        _ = try await $0.page(of: session.id, after: session.messages[4].id, limit: 5)
      },
    ]
  }
}
