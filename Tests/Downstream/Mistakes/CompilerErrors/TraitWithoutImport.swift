// Error: reference to member 'stallLimit' cannot be resolved without a contextual type
import Testing
import Understudy

@Suite(.stallLimit()) struct TodoTests {}
