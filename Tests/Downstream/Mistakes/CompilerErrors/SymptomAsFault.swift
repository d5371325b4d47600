// Error: 'timedOut' has been renamed to 'timeout'
import Understudy

func service() -> any TodoService { Intercepted(InMemoryTodos(), by: .faults(.on(.add, .timedOut))) }
