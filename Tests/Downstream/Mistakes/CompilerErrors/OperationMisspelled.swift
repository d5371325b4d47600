// Error: type 'Intercepted<InMemoryTodos>.Operation' has no member 'ad'
import Understudy

func service() -> any TodoService { Intercepted(InMemoryTodos(), by: .faults(.on(.ad, .offline))) }
