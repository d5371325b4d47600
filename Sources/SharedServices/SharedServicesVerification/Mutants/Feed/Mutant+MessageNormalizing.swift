public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any MessageNormalizing {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    rolesAndTimestamps + content + tools + streams + sources
  }

  private static var rolesAndTimestamps: [Mutant] {
    [
      wrong(
        .takesThinkingForAnswers, "Shows what the assistant thinks as what it says.",
        ["normalizer.role.known": "Expected the role to be thinking, found assistant"]),
      wrong(
        .takesUnknownRolesForSystem, "Treats an unknown role as the system's.",
        ["normalizer.role.unknown": "to be failure(Expected one of the roles"]),
      wrong(
        .knowsRolesInAnyCase, "Knows a role however its letters are written.",
        ["normalizer.role.unknown": "to be failure(Expected one of the roles"]),
      wrong(
        .ignoresOffsets, "Ignores the offset of a timestamp.",
        ["normalizer.timestamp.known": "Expected 2026-01-03T13:30:00+01:30 to be 2026-01-03 12:00:00 +0000"]),
      wrong(
        .takesUnknownMomentsForNow, "Replaces an invalid timestamp by the current time.",
        ["normalizer.timestamp.unknown": "to be failure(Expected a moment with its zone"]),
      wrong(
        .takesGreenwichForGranted, "Reads a timestamp without a time zone as UTC.",
        ["normalizer.timestamp.unknown": "to be failure(Expected a moment with its zone"]),
      wrong(
        .knowsUpperCaseOnly, "Does not know a time that is written in lower case.",
        ["normalizer.timestamp.known": "Expected a message, found"]),
      wrong(
        .losesLeapSeconds, "Does not know a leap second.",
        ["normalizer.timestamp.precision": "Expected a message, found"]),
    ]
  }

  private static var content: [Mutant] {
    [
      wrong(
        .trimsContent, "Leaves out the white space around content.",
        ["normalizer.content.kept": "Expected the content of"]),
      wrong(
        .keepsWrappers, "Warns of a wrapper, and shows it.",
        [
          "normalizer.content.repaired": "Expected the content of AnyCodableValue(",
          "normalizer.any.page": "Expected message(role:",
        ]),
      wrong(
        .hidesRepairs, "Repairs content without a warning.",
        ["normalizer.content.repaired": "Expected the warnings of"]),
      wrong(
        .guessesWhatWasCutOff, "Shows what is left of content that is cut off.",
        ["normalizer.content.corrupted": "to be failure(Expected whole content"]),
      wrong(
        .showsMissingContent, "Shows a message whose content is missing as an empty one.",
        ["normalizer.content.missing": "Expected a failure of a message of the role user, found"]),
      wrong(
        .hidesWhatWasLeftOut, "Gives no warning for what was left out of a message in decoding.",
        ["normalizer.content.left-out": "Expected the warnings of a message of the role user to be"]),
      wrong(
        .unwrapsOnce, "Takes content out of the outermost wrapper alone.",
        ["normalizer.content.again": "Expected the content, again"]),
    ]
  }

  private static var tools: [Mutant] {
    [
      wrong(
        .losesToolIDs, "Leaves out which use of a tool a message belongs to.",
        [
          "normalizer.tools.page": "Expected the ids to be",
          "normalizer.tools.stream": "Expected the ids of the use to be",
        ]),
      wrong(
        .makesUpToolIDs, "Uses the id of the message for a tool use without an id.",
        ["normalizer.tools.without-id": "Expected the ids to be [nil, nil]"]),
      wrong(
        .hidesMissingToolIDs, "Gives no warning for a tool use without an id.",
        ["normalizer.tools.without-id": "Expected the warnings to be"]),
      wrong(
        .losesUnreadableInput, "Leaves out an input that is not valid JSON.",
        ["normalizer.tools.input": "Expected the input to be"]),
      wrong(
        .keepsWrappersOfTools, "Takes the content out of a wrapper, but not what the tool answered.",
        ["normalizer.tools.output": #"found [Optional("Found"), Optional("AnyCodableValue("#]),
    ]
  }

  private static var streams: [Mutant] {
    [
      wrong(
        .showsHeartbeats, "Takes a heartbeat for a message that cannot be read.",
        ["normalizer.stream.none": "Expected what becomes of control"]),
      wrong(
        .showsEmptyNotes, "Takes a system message without text for a message.",
        ["normalizer.stream.empty": "to be nil"]),
      wrong(
        .hidesEmptyMessages, "Leaves out a user's message without text.",
        ["normalizer.stream.empty": "Expected a message, found nil"]),
      wrong(
        .dropsWhatItCannotRead, "Ignores what it cannot read, without a failure.",
        ["normalizer.stream.unreadable": "failure(Expected an event or a message with an id as JSON"]),
      wrong(
        .takesDeltasForWholes, "Takes a piece of a message for the whole.",
        ["normalizer.stream.delta": "Expected a message that is still to come."]),
      wrong(
        .namesEachPiece, "Gives each piece of a message an id of its own.",
        ["normalizer.stream.id": "Expected the ids to be"]),
      wrong(
        .makesUpIDs, "Gives a message that has no id a new one.",
        ["normalizer.stream.without-id": "Expected a failure, found"]),
      wrong(
        .takesResultsForNotes, "Takes the end of a task for any note of the service.",
        ["normalizer.any.event": "Expected message(role: SharedServices.ChatMessage.Role.resultSuccess"]),
    ]
  }

  private static var sources: [Mutant] {
    [
      wrong(
        .truncatesToMilliseconds, "Keeps the milliseconds of a time, and no more.",
        ["normalizer.timestamp.precision": "Expected the microseconds of 2026-01-03T12:00:00.000001Z to be"]),
      wrong(
        .keepsToolsOfToolUsesOnly, "Leaves out the ids of tools in every other role.",
        ["normalizer.sources.fields": "Expected a message of the role user with"]),
      wrong(
        .showsTheToolForItsTask, "Shows the name of a tool where it is described what the tool is to do.",
        ["normalizer.sources.one": "Expected the message of the stream from toolUse"]),
      wrong(
        .takesPartsAtAnyTime, "Does not look at the time of a part.",
        ["normalizer.sources.refused": #"to be Optional(SharedServicesContracts.FeedPayloads.Fate.failure"#]),
      wrong(
        .remembersIDs, "Returns the first result of an id for every message with it.",
        ["normalizer.sources.order": "Expected what becomes of"]),
    ]
  }

  private static func wrong(
    _ mistake: WrongMessageNormalizer.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .standard, killedBy: killers) { _ in
      WrongMessageNormalizer(mistake: mistake)
    }
  }
}
