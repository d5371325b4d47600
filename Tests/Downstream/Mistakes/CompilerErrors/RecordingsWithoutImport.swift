// Error: reference to member 'recordings' cannot be resolved without a contextual type
import Testing
import UnderstudyRecording
import UnderstudyTesting

@Suite(.recordings("todos")) struct TodoTests {}
