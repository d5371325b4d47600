// Error: generic parameter 'Base' could not be inferred
import Understudy

func service() -> any TodoService {
  let log = CallLog()
  return Intercepted(InMemoryTodos(), by: .log(log))
}
