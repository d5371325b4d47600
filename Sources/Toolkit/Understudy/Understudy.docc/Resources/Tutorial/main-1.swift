import NotesContracts
import UnderstudyCommand

let notes = RegisteredContract(
  .notesService, .inMemory, .live, recordings: .notesInSources,
  replaying: { .recorded(in: .notes(at: $0)) }, recording: { .recording(into: .notes(at: $0)) })
await CommandLineTool("notes-command", contracts: notes).main()
