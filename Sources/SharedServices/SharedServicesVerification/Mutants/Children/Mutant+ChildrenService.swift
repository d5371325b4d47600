public import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
public import Understudy

extension Mutant where Subject == any ChildrenService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] { ofService + ofTable }

  private static var ofService: [Mutant] {
    [
      wrong(.losesGoals, "Stores a child without its goals.", ["children.create.fields": "goals: []"]),
      wrong(
        .refusesRepetitions, "Refuses to create a child again, even with the same values.",
        ["children.create.again": "Expected the call to return the stored child"]),
      wrong(
        .returnsWhateverHasTheID, "Returns the stored child for any values with its id.",
        [
          "children.create.again-otherwise":
            "Expected the call createChild with another name to throw a conflict"
        ]),
      wrong(
        .ignoresNormalForms,
        "Takes a text in another normal form for the same when a child is created again.",
        [
          "children.create.again-scalars":
            "Expected the call createChild with the name in another normal form to throw a conflict"
        ]),
      wrong(
        .storesEqualGoalsOnce, "Stores only the first of equal goals.",
        ["children.create.fields": #"goals: ["sleep", "", "listen"]"#]),
      wrong(
        .datesInMilliseconds, "Reads dates to the millisecond.",
        ["children.create.clock": "Expected createdAt to be the server's time"]),
      wrong(
        .cutsLongText, "Stores no more than a thousand characters of a topic.",
        ["children.create.long-text": "found 1000"]),
      wrong(
        .clampsAge, "Stores the nearest age that is allowed instead of refusing the others.",
        [
          "children.refuse.age": "Expected the call createChild with age 5 to throw",
          "children.refuse.malformed": "Expected the call createChild with age 9223372036854775807 to throw",
        ]),
      wrong(
        .clampsChangedAge, "Changes an age to the nearest one that is allowed.",
        ["children.refuse.age": "Expected the call updateChild with age 5 to throw"]),
      wrong(
        .checksAgesItself, "Refuses the age of a changed child before it knows whether there is one.",
        ["children.refuse.hidden": "Expected the call updateChild of a missing child with age 5 to throw"]),
      wrong(.addsASample, "Puts a sample into an empty list.", ["children.fetch.none": #"name: "Sample""#]),
      wrong(
        .ordersBySeconds, "Lists the children of one second by their names.",
        ["children.fetch.same-second": "Expected the names to be"]),
      wrong(
        .keepsListsOfAllUsers, "Keeps the list of each user, whoever is signed in.",
        [
          "children.users.turns": "Expected the list of the other user's children in the first round to be []"
        ]),
      wrong(
        .listsFromACache, "Lists what it has read before, until it writes.",
        ["children.users.devices": "Expected the children that another device created to be"]),
      wrong(
        .listsEverybodys, "Lists the children of all users.", ["children.fetch.own-only": #"name: "Alex""#]),
      wrong(
        .readsOnePage, "Lists the first hundred children and asks for no more.",
        ["children.fetch.many": "to be 50, found 20"]),
      wrong(
        .leavesOutEmptyLists, "Leaves a list that became empty out of a change.",
        ["children.update.stored": "Expected the returned child to be"]),
      wrong(
        .movesLeapDays, "Moves a changed birthday of 29 February to the 28th.",
        ["children.update.stored": "2012-02-28"]),
      wrong(
        .returnsWhatItWasGiven, "Returns the changed child as it was given, not as it is stored.",
        ["children.update.dates": "Expected updatedAt to be after"]),
      wrong(
        .returnsTheGivenDates, "Returns the changed child with the first date as it was given.",
        ["children.update.given-dates": "Expected createdAt to be"]),
      wrong(
        .changesWhatItCannotSee, "Changes a child in part before it finds that it is another user's.",
        [
          "children.users.refusals": "Expected the other user's children to be",
          "children.update.hidden": "Expected the other user's child after it to be",
        ]),
      wrong(
        .overwritesOthers, "Writes a changed age to all children of the user.",
        ["children.update.others": "Expected the other child to be"]),
      wrong(
        .writesInParts, "Writes a changed name in a statement of its own, before the rest.",
        ["children.update.refused": "Expected the children after it to be"]),
      wrong(.deletesAll, "Deletes all children of the user.", ["children.delete.gone": "found []"]),
      wrong(
        .refusesToDeleteTwice, "Throws not found when a missing child is deleted.",
        [
          "children.delete.absent": "to be a success, but it threw",
          "children.delete.hidden": "to look like a success, but it threw",
        ]),
      wrong(
        .hidesInsteadOfDeleting, "Hides a deleted child and keeps its row.",
        ["children.delete.frees-name": "to be given a name that is free again, but it threw"]),
      wrong(
        .givesUpOnAnExpiredToken, "Exchanges an expired token, and then reports the session as over.",
        ["children.session.expired": "to go on unnoticed, but it threw"]),
      wrong(
        .refreshesInAdvance, "Exchanges its tokens before each call.",
        ["children.session.shared-refresh": "Expected the refreshes to be 1, found"]),
      wrong(
        .hidesTheDelay, "Does not say how long the server wants to be left alone.",
        ["children.failure.rate": "rateLimited(retryAfter: nil)"]),
      wrong(
        .repeatsLostWrites, "Creates a child again when the answer was lost.",
        ["children.failure.lost-answer": "found 2"]),
      wrong(
        .signsOutWhenLimited, "Ends the session when the server limits the calls.",
        ["children.session.kept": "to go on with the session after too many requests, but it threw"]),
      wrong(
        .signsOutOffline, "Ends the session when a call has no network.",
        ["children.session.refresh-fails": "to refresh after the device is offline, but it threw"]),
      wrong(
        .takesLostWritesBack, "Deletes a child again whose answer was lost.",
        ["children.failure.lost-answer": "found 0"]),
      wrong(
        .staysOffline, "Asks for nothing any more once it was offline.",
        ["children.failure.recovery": "to work again, but it threw"]),
      wrong(
        .losesWritesAtOnce, "Loses a child that is created while another one is.",
        ["children.concurrency.hundred": "Expected the number of children to be 100"]),
      wrong(
        .sharesFetches, "Joins the fetch that is under way, whoever's children it lists.",
        ["children.concurrency.users": "Expected the list of the other user to be []"]),
      wrong(
        .renamesDuplicates, "Gives a child whose name is taken another name.",
        [
          "children.refuse.taken-name": "but it returned",
          "children.concurrency.one-name": "Expected the number that were stored to be 1, found 20",
        ]),
      wrong(
        .ignoresCancellation, "Creates a child for a task that was cancelled before.",
        ["children.cancellation.before": "Expected the call createChild to throw cancelled"]),
      wrong(
        .cancelsAll, "Cancels all new children that are on their way when one of them is cancelled.",
        ["children.cancellation.others": "that was not cancelled to go on, but it threw cancelled"]),
    ]
  }

  /// Correct services over a table with a mistake.
  private static var ofTable: [Mutant] {
    [
      wrong(
        "excludesTheAgeLimits", "Has a table whose ages end one year before the limits.",
        replacing: "age BETWEEN 6 AND 16", with: "age > 6 AND age < 16",
        [
          "children.create.age-limits": "with age 6 to be taken, but it threw"
        ]),
      wrong(
        "widensTheScores", "Has a table that takes scores from 0 to 11.",
        replacing: "BETWEEN 1 AND 10", with: "BETWEEN 0 AND 11",
        [
          "children.refuse.talkativeness": "createChild with temperament_talkative 11 to throw",
          "children.refuse.sensitivity": "createChild with temperament_sensitivity 11 to throw",
          "children.refuse.accountability": "createChild with temperament_accountability 11 to throw",
        ]),
      wrong(
        "takesBlankNames", "Has a table that refuses the empty name alone.",
        replacing: "name ~ '[^[:space:]]'", with: "name <> ''",
        [
          "children.refuse.blank-name": "createChild with name     to throw"
        ]),
      wrong(
        "takesFutureBirthdays", "Has a table that takes any birthday.",
        replacing: " CHECK (birthday <= (now() AT TIME ZONE 'utc')::date)", with: "",
        [
          "children.refuse.birthday": "createChild with birthday 9999-12-31 to throw"
        ]),
      wrong(
        "sharesNames", "Has a table in which a name is unique among the children of all users.",
        replacing: "UNIQUE (user_id, name)", with: "UNIQUE (name)",
        [
          "children.refuse.own-names-only": "with another's name to be taken, but it threw"
        ]),
      wrong(
        "allowsNamesTwice", "Has a table in which a name need not be unique.",
        replacing: "UNIQUE (user_id, name)", with: "UNIQUE (id, name)",
        [
          "children.refuse.taken-name": "but it returned",
          "children.update.taken-name": "but it returned",
          "children.concurrency.one-name": "Expected the number of children to be 1, found 20",
        ]),
      wrong(
        "opensTheTable", "Has a table whose rows are everybody's.",
        replacing: "(user_id = auth.uid()) WITH CHECK (user_id = auth.uid());\n\n", with: "(true);\n\n",
        [
          "children.fetch.of-another": #"name: "Alex""#,
          "children.refuse.another-user": "but it returned",
          "children.update.hidden": "Expected the other user's child after it to be",
          "children.delete.hidden": "Expected the other user's child after it to be",
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongChildrenService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(
      mistake.rawValue, sentence, of: .inMemory,
      as: .inMemory { WrongChildrenService(base: $0, backend: $1, mistake: mistake) }, killedBy: killers)
  }

  private static func wrong(
    _ name: String, _ sentence: String, replacing sql: String, with other: String,
    _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(
      name, sentence, of: .supabase(over: .emulator),
      as: .supabase(on: .sharedServices(replacing: sql, with: other)), killedBy: killers)
  }
}
