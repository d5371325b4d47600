// Error: is unavailable: Each test of a suite has its own recording, in a folder
import Testing
import UnderstudyRecording
import UnderstudyRecordingTesting

@Suite(.recording("todos")) struct TodoTests {
  @Test func isRight() async throws {}
}
