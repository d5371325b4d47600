import Foundation
public import Notes
import NotesDoubles
public import Understudy
public import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Implementation where Subject == any NotesService {
  /// The double.
  public static var inMemory: Self { .double("in-memory", InMemoryNotes()) { $0 } }

  /// The client over a server in this process.
  public static var live: Self {
    .live(over: NotesBackend()) { transport, _ in NotesClient(over: transport) }
  }
}

extension NotesClient {
  /// A client whose requests a transport sends.
  public init(over transport: any HTTPTransport) {
    self.init(
      session: URLSession(configuration: .over(transport)),
      at: URL(string: "http://notes.invalid") ?? URL(filePath: "/"), token: "token")
  }
}
