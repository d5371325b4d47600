// Error: is unavailable: Write the arguments, the error of a fault, and a closure with the arguments
import Understudy

enum NoteError: Error { case offline }

extension NoteError { init(_ fault: Fault) { self = .offline } }

protocol NoteService: Sendable { func add(_ text: String) async throws(NoteError) }

extension Intercepted: NoteService where Base: NoteService {
  func add(_ text: String) async throws(NoteError) {
    try await intercept(.init("add"), failure: NoteError.init) { base, text throws(NoteError) in
      try await base.add(text)
    }
  }
}
