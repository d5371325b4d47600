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
  public static var inMemory: Self {
    .double("in-memory", InMemoryNotes()) { notes, trial in
      trial.on(.sessionExpired, failing: notes, with: .unauthorized)
      trial.on(.feedBreaks, failing: notes, at: .changes, with: .dropStream(afterEvents: 1))
      return notes
    }
  }

  /// The client over a server in this process.
  public static var live: Self {
    .live(over: NotesBackend()) { transport, trial in client(over: transport, in: trial) }
  }

  private static func client<Transport: HTTPTransport>(
    over transport: Intercepted<Transport>, in trial: TrialEnvironment
  ) -> any NotesService {
    trial.on(.sessionExpired, failing: transport, with: .unauthorized)
    trial.on(.feedBreaks, failing: transport, at: .get("/changes"), with: .dropStream(afterEvents: 1))
    return NotesClient(over: transport)
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
