public import SharedServices
import SharedServicesBackends
import SharedServicesDoubles
import SharedServicesForum
public import Understudy
public import UnderstudyRecording

extension Implementation where Subject == any ForumsClient {
  /// `InMemoryForumsClient` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let forum = ForumTrial(trial)
      let client = trial.intercept(InMemoryForumsClient(forum.forum))
      forum.setUpPages()
      forum.setUpFailures(of: client)
      return trial.countRequests(to: client)
    }
  }

  /// `HTMLForumsClient` over HTTP.
  public static func html(over route: LiveRoute) -> Self {
    Implementation("html-over-\(route)") { try await ForumTrial($0).connection(over: route).client() }
  }

  /// The live client over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder) { transport, trial in
      HTMLForumsClient(at: ForumTrial.nowhere, over: transport, time: trial.time)
    }
  }

  /// The live client over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live client over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .recording(into: folder) { trial in
      let connection = try await ForumTrial(trial).connection(over: .emulator)
      return (connection.transport, { connection.client(over: $0) })
    }
  }
}
