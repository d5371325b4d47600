// Error: is unavailable: Intercepted<Base> is not the service type.
import Understudy

func makeTodos() -> any TodoService { InMemoryTodos() }

extension Implementation where Subject == any TodoService {
  static var other: Self { .double("other", makeTodos()) { $0 } }
}
