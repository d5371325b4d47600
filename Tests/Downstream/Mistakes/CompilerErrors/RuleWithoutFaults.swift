// Error: is unavailable: A rule is in .faults
import Understudy

func service() -> any TodoService { Intercepted(InMemoryTodos(), by: .on(.add, .offline)) }
