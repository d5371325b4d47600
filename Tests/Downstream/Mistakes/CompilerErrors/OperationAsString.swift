// Error: cannot convert value of type 'String' to expected argument type 'Intercepted<InMemoryTodos>.Operation'
import Understudy

func service() -> any TodoService { Intercepted(InMemoryTodos(), by: .faults(.on("add", .offline))) }
