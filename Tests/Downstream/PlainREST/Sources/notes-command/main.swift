import NotesContracts
import UnderstudyCommand

let notes = RegisteredContract(
  .notesService, .inMemory, .live, recordings: .notesInSources,
  replaying: { .recorded(in: .notes(at: $0)) }, recording: { .recording(into: .notes(at: $0)) })
let backend = ServedBackend("the notes of one user") { .init(NotesBackend(), notes: ["token: token"]) }
await CommandLineTool("notes-command", contracts: notes, scenarios: [.notes], serving: backend).main()
