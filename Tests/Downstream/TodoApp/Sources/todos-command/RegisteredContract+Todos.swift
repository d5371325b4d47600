import TodoContracts
import UnderstudyCommand
import Understudy

extension RegisteredContract {
  static var todos: Self {
    RegisteredContract(
      .todoService, .inMemory, .live, recordings: .todosInSources,
      replaying: { .recorded(in: .todos(at: $0)) }, recording: { .recording(into: .todos(at: $0)) },
      mutants: Mutant.all,
      equivalents: [
        "add.twice": "A title that is taken is refused.", "remove.twice": "What is removed already stays so.",
        "*.retries": "What is tried again is refused, or the same.",
      ])
  }
}
