// Error: type 'TodoModel' does not conform to protocol 'Hashable'
import Understudy

struct TodoModel { var titles: [String] = [] }

enum TodoCommand: ExplorationCommand {
  case add(String)

  static func random(in model: TodoModel, using generator: inout some RandomNumberGenerator) -> Self {
    .add("Milk")
  }

  func call(in model: TodoModel) -> ExplorationCall<any TodoService, TodoModel>? {
    switch self {
    case .add(let title):
      ExplorationCall {
        try await $0.add(title)
      } step: { model, answer in
        model.titles.append(title)
        return answer.returned
      }
    }
  }
}
