// Error: type 'Fault' has no member 'ofline'
import Understudy

func service() -> any TodoService { Intercepted(InMemoryTodos(), by: .faults(.on(.add, call: 1, .ofline))) }
