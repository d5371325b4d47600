// Error: invalid conversion of thrown error type 'any Error' to 'TodoError'
import Understudy

func service() -> any TodoService {
  var service = UnimplementedTodoService()
  service.onItems = { throw TodoError.unavailable }
  return service
}
