import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive
import UnderstudyCommand
import UnderstudyRecording

extension CommandLineTool.Demonstration {
  /// A conversation with the live client, recorded and then replayed without a backend.
  static var conversation: Self {
    Self("The recording: a streamed conversation, and the same again without a backend") { console in
      try console.write("  The live client asks the guide over HTTP; a bar is the end of a chunk.\n")
      try await show("complete", nil, console)
      try console.write("\n  The same, and the connection breaks after four events:\n")
      try await show("broken off", .dropStream(afterEvents: 4), console)
    }
  }

  private static let email = "pat@example.com"
  private static let password = "correct horse battery"

  private static func show(_ name: String, _ fault: Fault?, _ console: Console) async throws {
    let time = TestClock(.immediate).time
    let project = SupabaseBackend(time: time)
    let user = try project.addUser(email: email, password: password)
    let child = try await DatabaseChildrenService(project, as: user).createChild(
      NewChild(
        userID: user, name: "Robin", age: 8,
        birthday: CalendarDate(Date(timeIntervalSince1970: 1_500_000_000), in: .gmt)))
    let rules = fault.map { fault in
      [
        FaultPlan<InProcessTransport<SupabaseEmulator>>.Rule.on(.post("/functions/v1/send-message"), fault)
      ]
    }
    let backend = Intercepted(
      InProcessTransport(to: project.emulator, time: time), by: .faults(FaultPlan(rules: rules ?? [])),
      time: time)
    let recorder = RecordingTransport(around: backend, time: time)
    let recorded = try await talk(over: recorder, about: child, time: time)
    let file = FileManager.default.temporaryDirectory.appending(
      path: "understudy-demo-\(fault == nil ? "whole" : "broken").har")
    try recorder.write(to: file)
    try console.write("    recorded  \(recorded)")

    let archive = try HTTPArchive(contentsOf: file)
    let replayed = try await talk(over: ReplayingTransport(archive), about: child, time: time)
    try console.write("    replayed  \(replayed)")
    guard recorded == replayed else { throw DemoFailure("The replay differs from the recording.") }
    let kept = "\(archive.entries.count) exchanges, tokens and keys redacted"
    try console.write("    kept in \(file.path(percentEncoded: false)) (\(kept))")
  }

  /// Sends a message and prints the answer, chunk by chunk, and how it ended.
  private static func talk(
    over transport: some HTTPTransport, about child: Child, time: Time
  ) async throws -> String {
    guard let url = URL(string: "http://demo.invalid") else { throw DemoFailure("Invalid URL.") }
    let client = SupabaseClient(
      SupabaseConfiguration(projectURL: url, apiKey: "anon-key"), over: transport, clock: time.clock,
      now: time.date)
    _ = try await SupabaseAuthService(client).signIn(email: email, password: password)
    let service = SupabaseConversationService(client)
    let conversation = try await service.startConversation(childID: child.id)
    let answer = try await service.sendMessageStream(
      conversationID: conversation.id, message: "Bedtime?", childContext: ChildContext(child))
    var shown = ""
    do {
      for try await chunk in answer {
        shown += chunk.text + (chunk.isDone ? "■" : "|")
      }
    } catch {
      shown += " ✗ " + ((error as? AppError)?.userFacingMessage ?? "\(error)")
    }
    return shown
  }
}

/// An error of a demonstration.
struct DemoFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
