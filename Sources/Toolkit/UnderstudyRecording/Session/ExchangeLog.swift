import Foundation
import Understudy
import UnderstudyHTTP

/// A log of a session's exchanges, for diagnosing a failed test.
final class ExchangeLog: Sendable {
  private struct State: Sendable {
    var count = 0
    /// The latest lines, by their numbers.
    var lines: [Int: String] = [:]
  }

  private static let most = 500

  private let state = Locked(State())
  private let scanner: SecretScanner

  init(_ redaction: Redaction) {
    scanner = SecretScanner(redaction)
  }

  var isEmpty: Bool { state.withLock { $0.count == 0 } }

  var text: String {
    state.withLock { state in
      state.lines.sorted { $0.key < $1.key }.map { "\($0.key)  \($0.value)\n" }.joined()
    }
  }

  /// Logs a request when it is sent, and its result when it is available.
  func noting<Answer: Sendable>(
    _ method: String, _ url: URL, _ answer: () async throws(TransportError) -> Answer
  ) async throws(TransportError) -> Answer {
    let request = "\(method) \(masked(url.absoluteString))"
    let number = state.withLock { state in
      state.count += 1
      state.lines[state.count] = "\(request)  no response yet"
      state.lines[state.count - Self.most] = nil
      return state.count
    }
    func note(_ outcome: String) {
      state.withLock { state in
        if state.lines[number] != nil { state.lines[number] = "\(request)  \(outcome)" }
      }
    }
    do throws(TransportError) {
      let answer = try await answer()
      note((answer as? HTTP.Response).map { "\($0.status)" } ?? "open")
      return answer
    } catch {
      note("\(error.code)")
      throw error
    }
  }

  private func masked(_ text: String) -> String {
    var masking = SecretMasking(scanner)
    return masking.text(Array(text.utf8))
  }
}
