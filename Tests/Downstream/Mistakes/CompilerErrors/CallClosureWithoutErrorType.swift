// Error: thrown expression type 'any Error' cannot be converted to error type 'NoteError'
import Understudy

enum NoteError: Error { case offline }

extension NoteError { init(_ fault: Fault) { self = .offline } }

protocol NoteService: Sendable { func add(_ text: String) async throws(NoteError) }

extension Intercepted: NoteService where Base: NoteService {
  func add(_ text: String) async throws(NoteError) {
    try await intercept(.init("add"), text, failure: NoteError.init) { try await $0.add($1) }
  }
}
