// Error: type 'FaultPlan<InMemoryTodos>.Rule' has no member 'offline'
import Understudy

func service() -> any TodoService { Intercepted(InMemoryTodos(), by: .faults(.offline)) }
