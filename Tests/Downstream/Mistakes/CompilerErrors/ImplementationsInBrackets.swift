// Error: is unavailable: Write the implementations without brackets
import Understudy

let checks = Contract.todos.checks(of: [.inMemory])
