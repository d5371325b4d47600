import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts

/// Deliberately wrong services: the contracts must catch each, in the clause that is about its mistake.
struct MutantTests {
  private static let wrongChildrenServices: [(WrongChildrenService.Mistake, String, String)] = [
    (.losesGoals, "children.create.fields", #"["sleep", "listen"]"#),
    (.clampsAge, "children.refuse.age", "Expected the call with age 5 to be refused"),
    (
      .oldestFirst, "children.fetch.order", #"to be ["Robin", "Alex", "Kim"], found ["Kim", "Alex", "Robin"]"#
    ),
    (.overwritesOthers, "children.update.others", "Expected the other child to be"),
    (.returnsWhatItWasGiven, "children.update.dates", "Expected updatedAt to be after"),
    (.refusesToDeleteTwice, "children.delete.absent", "notFound"),
    (.emptyWhenSignedOut, "children.session.signed-out", "Expected the call fetchChildren to throw"),
    (.emptyWhenUnreadable, "children.failure.unreadable", "but it returned"),
    (
      .takesTimeoutsForFailures, "children.failure.no-answer",
      "threw network(SharedServices.NetworkError.serverError)"
    ),
    (.repeatsLostWrites, "children.failure.lost-answer", "found 2"),
    (.takesLostWritesBack, "children.failure.lost-answer", "found 0"),
    (
      .renamesDuplicates, "children.concurrency.one-name",
      "Expected the number that were stored to be 1, found 20"
    ),
    (
      .ignoresCancellation, "children.cancellation.before", "Expected the call createChild to throw cancelled"
    ),
  ]

  @Test(arguments: wrongChildrenServices) func aWrongChildrenServiceIsCaught(
    _ mistake: WrongChildrenService.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongChildrenService(base: $0, mistake: mistake)
    }
    try await expect(Contract.childrenService, toCatch: mutant, in: clause, saying: message)
  }

  private static let wrongAuthServices: [(WrongAuthService.Mistake, String, String)] = [
    (.tellsWhichAddressesExist, "authentication.sign-in.unknown", "notFound"),
    (.signsOutBeforeSigningIn, "authentication.sign-in.keeps", "after signing in again failed"),
    (.failsToSignOutTwice, "authentication.sign-out.twice", "notSignedIn"),
    (.staysSignedInOffline, "authentication.sign-out.offline", "after signing out offline"),
    (
      .invitesAGuest, "authentication.current-user.nobody", "Expected nobody to be signed in at the beginning"
    ),
    (.signsOutWhenRefreshFails, "authentication.refresh.retry", "to be signed in when the device is offline"),
    (.hidesTheDelay, "authentication.failure.rate", "rateLimited(retryAfter: nil)"),
    (.showsCancellation, "authentication.cancellation.under-way", "noConnection"),
    (
      .staysSignedInWhenCancelled, "authentication.cancellation.sign-out",
      "Expected nobody to be signed in after signing out was cancelled on its way"
    ),
    (.signsOutWhenCancelledBefore, "authentication.cancellation.before", "but it returned"),
    (.ignoresAnExpiredToken, "authentication.sign-out.expired", "to be 0, found 1"),
  ]

  @Test(arguments: wrongAuthServices) func aWrongAuthServiceIsCaught(
    _ mistake: WrongAuthService.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongAuthService(base: $0, mistake: mistake)
    }
    try await expect(Contract.authService, toCatch: mutant, in: clause, saying: message)
  }

  @Test func everyGroupOfClausesCatchesAMutant() {
    let clauses = Self.wrongChildrenServices.map(\.1) + Self.wrongAuthServices.map(\.1)
    let caught = Set(clauses.map { $0.split(separator: ".").dropLast().joined(separator: ".") })
    let groups =
      Contract.childrenService.clauses.map(\.group) + Contract.authService.clauses.map(\.group)
    #expect(Set(groups) == caught, "A group without a mutant in the tests above proves nothing.")
  }
}
