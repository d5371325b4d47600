public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any ChildrenService {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .losesGoals, "Loses goals.",
        [
          "children.create.fields": #"["sleep", "listen"]"#
        ]),
      wrong(
        .clampsAge, "Clamps age.",
        [
          "children.refuse.age": "Expected the call with age 5 to be refused"
        ]),
      wrong(
        .oldestFirst, "Oldest first.",
        [
          "children.fetch.order": #"to be ["Robin", "Alex", "Kim"], found ["Kim", "Alex", "Robin"]"#
        ]),
      wrong(
        .overwritesOthers, "Overwrites others.",
        [
          "children.update.others": "Expected the other child to be"
        ]),
      wrong(
        .returnsWhatItWasGiven, "Returns what it was given.",
        [
          "children.update.dates": "Expected updatedAt to be after"
        ]),
      wrong(
        .refusesToDeleteTwice, "Refuses to delete twice.",
        [
          "children.delete.absent": "notFound"
        ]),
      wrong(
        .emptyWhenSignedOut, "Empty when signed out.",
        [
          "children.session.signed-out": "Expected the call fetchChildren to throw"
        ]),
      wrong(
        .emptyWhenUnreadable, "Empty when unreadable.",
        [
          "children.failure.unreadable": "but it returned"
        ]),
      wrong(
        .takesTimeoutsForFailures, "Takes timeouts for failures.",
        [
          "children.failure.no-answer": "threw network(SharedServices.NetworkError.serverError)"
        ]),
      wrong(
        .repeatsLostWrites, "Repeats lost writes.",
        [
          "children.failure.lost-answer": "found 2"
        ]),
      wrong(
        .takesLostWritesBack, "Takes lost writes back.",
        [
          "children.failure.lost-answer": "found 0"
        ]),
      wrong(
        .renamesDuplicates, "Renames duplicates.",
        [
          "children.concurrency.one-name": "Expected the number that were stored to be 1, found 20"
        ]),
      wrong(
        .ignoresCancellation, "Ignores cancellation.",
        [
          "children.cancellation.before": "Expected the call createChild to throw cancelled"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongChildrenService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongChildrenService(base: $0, mistake: mistake)
    }
  }
}
