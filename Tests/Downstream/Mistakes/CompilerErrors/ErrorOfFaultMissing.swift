// Error: is unavailable: Write extension TodoError { init(_ fault: Fault) { … } }
import Understudy

enum NoteError: Error { case offline }

protocol NoteService: Sendable { func add(_ text: String) async throws(NoteError) }

extension Intercepted: NoteService where Base: NoteService {
  func add(_ text: String) async throws(NoteError) {
    try await intercept(.init("add"), text, failure: { NoteError($0) }) { base, text throws(NoteError) in
      try await base.add(text)
    }
  }
}
