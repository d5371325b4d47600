// Error: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure
import Understudy

final class Counter { var value = 0 }

func implementation(_ counter: Counter) -> Implementation<any TodoService> {
  Implementation("counted") { _ in
    counter.value += 1
    return InMemoryTodos()
  }
}
