import TodoContracts
import UnderstudyCommand

await CommandLineTool("todos-command", contracts: .todos, scenarios: [.todos]).main()
