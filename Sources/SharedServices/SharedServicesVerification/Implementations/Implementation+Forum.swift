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
      let forum = ForumTrial.inMemoryForum
      let client = trial.intercept(InMemoryForumsClient(forum))
      let conditions = ForumTrial(trial: trial, forum: forum)
      conditions.setUpPages()
      conditions.setUpFailures(of: client)
      return trial.countRequests(to: client)
    }
  }

  /// `HTMLForumsClient` over HTTP.
  public static func html(over route: LiveRoute) -> Self {
    Implementation("html-over-\(route)") {
      try await ForumTrial.connection(over: route, in: $0).client()
    }
  }

  /// The live client over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder) { transport, trial in
      HTMLForumsClient(at: ForumTrial.nowhere, over: transport, now: trial.time.date)
    }
  }

  /// The live client over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live client over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .recording(into: folder) { trial in
      let connection = try await ForumTrial.connection(over: .emulator, in: trial)
      return (connection.transport, { connection.client(over: $0) })
    }
  }
}
