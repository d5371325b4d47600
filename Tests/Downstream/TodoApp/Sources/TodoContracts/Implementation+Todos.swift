public import Foundation
import TodoDoubles
public import Todos
public import Understudy
public import UnderstudyRecording
import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Implementation where Subject == any TodoService {
  /// The double, with injected failures.
  public static var inMemory: Self { .double("in-memory", InMemoryTodoService()) { $0 } }

  /// The live service over a server in this process, with network failures.
  public static var live: Self { .live(over: TodoBackend()) { transport, _ in liveService(transport) } }

  /// The live service over a recording of each clause.
  public static func recorded(in folder: RecordingFolder = .todos()) -> Self {
    .recorded(in: folder) { transport, _ in liveService(transport) }
  }

  /// Makes the recordings.
  public static func recording(into folder: RecordingFolder) -> Self {
    .recording(into: folder, over: TodoBackend()) { transport, _ in liveService(transport) }
  }

  /// The transport answers, whatever the address.
  private static let nowhere = URL(string: "http://todos.invalid") ?? URL(filePath: "/")

  private static func liveService(_ transport: any HTTPTransport) -> any TodoService {
    LiveTodoService(session: URLSession(configuration: .over(transport)), at: nowhere)
  }
}

extension RecordingFolder {
  /// The recordings of this package, or those of another folder.
  public static func todos(at folder: URL? = nil) -> RecordingFolder {
    let own = Bundle.module.bundleURL.appending(path: "Recordings")
    return RecordingFolder(folder ?? own, madeBy: "swift run todos-command verify --record")
  }
}

extension URL {
  /// Where the recordings are made: in the sources.
  public static var todosInSources: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings")
  }
}
