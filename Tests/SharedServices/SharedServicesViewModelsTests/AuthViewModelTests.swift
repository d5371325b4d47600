import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@MainActor @Suite(.stallLimit()) struct AuthViewModelTests {
  typealias State = AuthViewModel.State

  /// What the sign-in screen shows.
  struct Shown: Equatable, Sendable {
    var state: State
    var isLoading = false
    var message: String?

    init(_ state: State, isLoading: Bool = false, message: String? = nil) {
      self.state = state
      self.isLoading = isLoading
      self.message = message
    }

    @MainActor init(_ model: AuthViewModel) {
      self.init(model.state, isLoading: model.isLoading, message: model.errorMessage)
    }
  }

  /// Two accounts on one backend, and a device that is signed out.
  struct Accounts: Sendable {
    let backend = InMemorySharedServices(time: TestClock(.immediate).time)
    let (pat, kim): (UUID, UUID)

    init() throws {
      pat = try backend.addUser(email: "pat@example.com", password: "secret1")
      kim = try backend.addUser(email: "kim@example.com", password: "secret2")
    }

    @MainActor func model(_ service: (any AuthService)? = nil) -> AuthViewModel {
      let model = AuthViewModel(service: service ?? backend.auth)
      (model.email, model.password) = ("pat@example.com", "secret1")
      return model
    }
  }

  @Test func aUserSignsInAndOut() async throws {
    let accounts = try Accounts()
    let timeline = StateTimeline(of: accounts.model()) { Shown($0) }
    let model = timeline.subject
    await model.signIn()
    #expect(
      timeline.states == [Shown(.unknown), Shown(.unknown, isLoading: true), Shown(.signedIn(accounts.pat))])
    #expect((model.userID, model.password) == (accounts.pat, ""))
    await model.signOut()
    #expect(timeline.states.suffix(2) == [Shown(.signedOut, isLoading: true), Shown(.signedOut)])
    #expect((model.userID, model.email) == (nil, ""))
    #expect(accounts.backend.auth.userID == nil)
  }

  @Test(arguments: [("", "secret1"), ("  ", "secret1"), ("pat@example.com", "")])
  func anEmptyFieldIsNotSent(_ email: String, _ password: String) async throws {
    let accounts = try Accounts()
    let log = CallLog<InMemoryAuthService>()
    let model = accounts.model(Intercepted(accounts.backend.auth, by: .log(log)))
    (model.email, model.password) = (email, password)
    await model.signIn()
    #expect(Shown(model) == Shown(.unknown, message: "Please enter your email and password."))
    #expect(log.count(of: .any) == 0)
  }

  @Test func aWrongPasswordKeepsTheFieldsAndTheSession() async throws {
    let accounts = try Accounts()
    let model = accounts.model()
    await model.signIn()
    (model.email, model.password) = ("kim@example.com", "wrong")
    await model.signIn()
    let message = "That email and password don't match. Please try again."
    #expect(Shown(model) == Shown(.signedIn(accounts.pat), message: message))
    #expect((model.email, model.password) == ("kim@example.com", "wrong"))
    model.dismissMessage()
    #expect(model.errorMessage == nil)
    model.password = "secret2"
    await model.signIn()
    #expect(Shown(model) == Shown(.signedIn(accounts.kim)))
  }

  @Test(arguments: expectedMessages)
  func everyFailureToSignInEndsInItsMessage(_ row: (fault: Fault, message: String)) async throws {
    let accounts = try Accounts()
    let service = Intercepted(
      accounts.backend.auth, by: .faults(FaultPlan(rules: [.on(.signIn, row.fault)])),
      time: TestClock(.immediate).time)
    let model = accounts.model(service)
    await model.signIn()
    #expect(Shown(model) == Shown(.unknown, message: row.message))
    #expect((model.email, model.password) == ("pat@example.com", "secret1"))
  }

  @Test func aStoredSessionIsRestored() async throws {
    let accounts = try Accounts()
    _ = try await accounts.backend.auth.signIn(email: "kim@example.com", password: "secret2")
    let model = accounts.model()
    await model.restore()
    #expect(Shown(model) == Shown(.signedIn(accounts.kim)))
  }

  @Test func withoutAStoredSessionTheUserIsSignedOutAndSeesNoError() async throws {
    let model = try Accounts().model()
    await model.restore()
    #expect(Shown(model) == Shown(.signedOut))
  }

  @Test func aSessionThatTheServerHasEndedExpires() async throws {
    let accounts = try Accounts()
    let model = accounts.model()
    await model.signIn()
    await model.refresh()
    #expect(Shown(model) == Shown(.signedIn(accounts.pat)))
    accounts.backend.backend.endSessions(of: accounts.pat)
    await model.refresh()
    let expired = Shown(.expired, message: "Session expired. Please log in again.")
    #expect(Shown(model) == expired)
    // Asking again does not make it another state.
    await model.restore()
    #expect(model.state == .expired)
    model.password = "secret1"
    await model.signIn()
    #expect(Shown(model) == Shown(.signedIn(accounts.pat)))
  }

  @Test func aRefreshThatFailsOtherwiseKeepsTheSession() async throws {
    let accounts = try Accounts()
    let service = Intercepted(
      accounts.backend.auth, by: .faults(FaultPlan(rules: [.on(.refresh, .offline)])))
    let model = accounts.model(service)
    await model.signIn()
    await model.refresh()
    let message = "No internet connection. Please check your network."
    #expect(Shown(model) == Shown(.signedIn(accounts.pat), message: message))
  }

  /// A sign-out that waits for the server would show the user's data meanwhile.
  @Test func theUserIsGoneBeforeTheServerAnswersASignOut() async throws {
    let accounts = try Accounts()
    let gate = Gate<InMemoryAuthService>(.signOut)
    let model = accounts.model(Intercepted(accounts.backend.auth, by: .gate(gate)))
    await model.signIn()
    let signOut = Task { await model.signOut() }
    let call = try await gate.next()
    #expect(Shown(model) == Shown(.signedOut, isLoading: true))
    call.fail(with: .offline)
    await signOut.value
    #expect(
      Shown(model) == Shown(.signedOut, message: "No internet connection. Please check your network."))
    #expect(accounts.backend.auth.userID == nil)
  }

  @Test func aCancelledSignOutIsStillCarriedOut() async throws {
    let accounts = try Accounts()
    let gate = Gate<InMemoryAuthService>(.signOut)
    let model = accounts.model(Intercepted(accounts.backend.auth, by: .gate(gate)))
    await model.signIn()
    let signOut = Task { await model.signOut() }
    let call = try await gate.next()
    signOut.cancel()
    await signOut.value
    #expect(Shown(model) == Shown(.signedOut))
    call.proceed()
    // Signing in waits for the end of the sign-out.
    (model.email, model.password) = ("kim@example.com", "secret2")
    await model.signIn()
    #expect(Shown(model) == Shown(.signedIn(accounts.kim)))
    #expect(accounts.backend.auth.userID == accounts.kim)
  }

  @Test func aSignOutDuringASignInWins() async throws {
    let accounts = try Accounts()
    let gate = Gate<InMemoryAuthService>(.signIn)
    let model = accounts.model(Intercepted(accounts.backend.auth, by: .gate(gate)))
    let signIn = Task { await model.signIn() }
    let call = try await gate.next()
    await model.signOut()
    call.proceed()
    await signIn.value
    #expect(Shown(model) == Shown(.signedOut))
    #expect(accounts.backend.auth.userID == nil)
  }

  @Test func aCancelledSignInShowsNothingAndCanBeRepeatedInTheSameBreath() async throws {
    let accounts = try Accounts()
    let gate = Gate<InMemoryAuthService>(.signIn)
    let model = accounts.model(Intercepted(accounts.backend.auth, by: .gate(gate)))
    let first = Task { await model.signIn() }
    _ = try await gate.next()
    first.cancel()
    let second = Task { await model.signIn() }
    try await gate.next().proceed()
    await first.value
    await second.value
    #expect(Shown(model) == Shown(.signedIn(accounts.pat)))
  }

  @Test func aSecondTapIsOneSignIn() async throws {
    let accounts = try Accounts()
    let gate = Gate<InMemoryAuthService>(.signIn)
    let log = CallLog<InMemoryAuthService>()
    let model = accounts.model(Intercepted(accounts.backend.auth, by: .log(log), .gate(gate)))
    let first = Task { await model.signIn() }
    let call = try await gate.next()
    await model.signIn()
    #expect(model.isLoading)
    call.proceed()
    await first.value
    #expect(log.count(of: .signIn) == 1)
  }

  // MARK: - The end of a session, everywhere

  /// What a user's screens do.
  enum Screen: CaseIterable, Sendable {
    case onboarding, profile, lyra
  }

  @Test(arguments: Screen.allCases, [AppError.network(.unauthorized), .authentication(.notSignedIn)])
  func anEndedSessionIsAnnouncedByEveryScreen(_ screen: Screen, _ error: AppError) async throws {
    let accounts = try Accounts()
    let auth = accounts.model()
    await auth.signIn()
    if error == .network(.unauthorized) {
      accounts.backend.backend.endSessions(of: accounts.pat)
      accounts.backend.backend.expireTokens(of: accounts.pat)
    } else {
      try await accounts.backend.auth.signOut()
    }
    let message: () -> String?
    switch screen {
    case .onboarding:
      let model = OnboardingViewModel(auth: auth, children: accounts.backend.children)
      model.childName = "Robin"
      await model.saveChildAndProceed()
      #expect(model.childName == "Robin")
      message = { model.errorMessage }
    case .profile:
      let model = ProfileViewModel(auth: auth, children: accounts.backend.children)
      await model.loadChildren()
      message = { model.errorMessage }
    case .lyra:
      let model = LyraViewModel(
        child: try ScriptedConversations.child(), auth: auth, service: accounts.backend.conversations)
      model.messageText = "Why?"
      await model.sendMessage()
      #expect(model.messageText == "Why?")
      message = { model.errorMessage }
    }
    #expect(auth.state == .expired)
    #expect(message() == "Session expired. Please log in again.")
    // The announcement is over once the user is signed in again.
    auth.password = "secret1"
    await auth.signIn()
    #expect(message() == nil)
  }
}
