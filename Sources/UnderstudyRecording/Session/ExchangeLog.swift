import Foundation
import UnderstudyPrimitives
import UnderstudyTransport

/// What a session was asked and answered, for whoever looks into a failed test.
final class ExchangeLog: Sendable {
  private let lines = Locked<[String]>([])
  private let scanner: SecretScanner

  init(_ redaction: Redaction) {
    scanner = SecretScanner(redaction)
  }

  var isEmpty: Bool { lines.withLock { $0.isEmpty } }

  var text: String { lines.withLock { $0.map { $0 + "\n" }.joined() } }

  /// Notes a request when it is sent, and what came of it when that is there.
  func noting<Answer: Sendable>(
    _ method: String, _ url: URL, _ answer: () async throws(TransportError) -> Answer
  ) async throws(TransportError) -> Answer {
    let request = "\(method) \(masked(url.absoluteString))"
    let number = lines.withLock { lines in
      lines.append("\(lines.count + 1)  \(request)  no answer yet")
      return lines.count
    }
    func note(_ outcome: String) {
      lines.withLock { $0[number - 1] = "\(number)  \(request)  \(outcome)" }
    }
    do throws(TransportError) {
      let answer = try await answer()
      note((answer as? HTTPResponse).map { "\($0.status)" } ?? "open")
      return answer
    } catch {
      note("\(error.code)")
      throw error
    }
  }

  private func masked(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let mask = Array(KeyedRequest.mask.utf8)
    let masked = RedactedBytes(bytes, replacing: scanner.finds(in: bytes).map { ($0.range, mask) })
    return String(decoding: masked.bytes, as: UTF8.self)
  }
}
