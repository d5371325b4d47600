// Error: type 'PlainTodos' does not conform to the 'Sendable' protocol
import Understudy

final class PlainTodos { var titles: [String] = [] }

func service() { _ = Intercepted(PlainTodos()) }
