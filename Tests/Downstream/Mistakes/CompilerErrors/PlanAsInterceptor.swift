// Error: cannot convert value of type 'FaultPlan<InMemoryTodos>' to expected argument type 'Interceptor<InMemoryTodos>'
import Understudy

func service() -> any TodoService {
  Intercepted(InMemoryTodos(), by: FaultPlan<InMemoryTodos>(.on(.add, .offline)))
}
