import Notes
import NotesContracts
import NotesDoubles
import Testing
import Understudy
import UnderstudyTesting

@Test func theDoubleAnswersLikeTheService() async throws {
  try await Contract.notesService.compare(
    .inMemory, with: .live, through: .notesService, under: [.sessionExpired, .feedBreaks])
}
