public import SharedServices
import SharedServicesForum
import SharedServicesDoubles
public import Understudy

extension Implementation where Subject == any ForumsClient {
  /// `InMemoryForumsClient` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { _ in
      let backend = TrialForum()
      let injector = Injector<InMemoryForumsClient>(time: backend.time)
      return Stage(
        injector.intercept(InMemoryForumsClient(backend.forum)),
        provisions: backend.provisions + injector.failuresOnTheWay + injector.failuresOfForum
          + [injector.callsAreHeld])
    }
  }

  /// `HTMLForumsClient` over HTTP.
  public static func html(over route: LiveRoute) -> Self {
    switch route {
    case .emulator: Implementation("html-over-emulator") { _ in stage(.overEmulator()) }
    case .faults: Implementation("html-over-faults") { _ in stage(.overFaults()) }
    case .socket: Implementation("html-over-socket") { _ in stage(try await .overSocket()) }
    }
  }

  private static func stage(_ rig: ForumRig) -> Stage<Subject> {
    Stage(
      rig.client(), provisions: rig.provisions + [rig.callsAreHeld], tearDown: { _ in await rig.close() })
  }
}
