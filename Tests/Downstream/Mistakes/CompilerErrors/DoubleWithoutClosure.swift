// Error: is unavailable: Write the double, and { $0 }
import Understudy

extension Implementation where Subject == any TodoService {
  static var other: Self { .double("other", InMemoryTodos()) }
}
