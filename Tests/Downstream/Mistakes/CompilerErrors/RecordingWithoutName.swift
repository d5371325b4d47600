// Error: is unavailable: Write the name of the recording: .recording("todos/add", in: .module).
import Testing
import UnderstudyRecording
import UnderstudyRecordingTesting

@Test(.recording) func isRight() async throws {}
