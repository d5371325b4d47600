import TodoContracts
import UnderstudyCommand
import Understudy

extension RegisteredContract {
  static var todos: Self {
    RegisteredContract(
      .todoService, .inMemory, .live, recordings: .todosInSources,
      replaying: { .recorded(in: .todos(at: $0)) }, recording: { .recording(into: .todos(at: $0)) },
      mutants: Mutant.all)
  }
}
