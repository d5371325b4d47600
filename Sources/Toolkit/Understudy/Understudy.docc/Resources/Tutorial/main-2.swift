import NotesContracts
import UnderstudyCommand

let notes = RegisteredContract(
  .notesService, .inMemory, .live, recordings: .notesInSources,
  replaying: { .recorded(in: .notes(at: $0)) }, recording: { .recording(into: .notes(at: $0)) },
  equivalents: [
    "add.twice": "A text that is taken is refused.", "remove.twice": "What is removed already stays so.",
    "changes.twice": "The second stream is not read.",
    "*.retries": "What is tried again is refused, or the same.",
  ])
let backend = ServedBackend("the notes of one user") { .init(NotesBackend(), notes: ["token: token"]) }
await CommandLineTool("notes-command", contracts: notes, scenarios: [.notes], serving: backend).main()
