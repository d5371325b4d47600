public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any MessageNormalizing {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .takesUnknownRolesForSystem, "Takes unknown roles for system.",
        [
          "normalizer.role.unknown": "to be failure(Expected one of the roles"
        ]),
      wrong(
        .knowsRolesInAnyCase, "Knows roles in any case.",
        [
          "normalizer.role.unknown": "to be failure(Expected one of the roles"
        ]),
      wrong(
        .takesUnknownMomentsForNow, "Takes unknown moments for now.",
        [
          "normalizer.timestamp.unknown": "to be failure(Expected a moment with its zone"
        ]),
      wrong(
        .takesGreenwichForGranted, "Takes greenwich for granted.",
        [
          "normalizer.timestamp.unknown": "to be failure(Expected a moment with its zone"
        ]),
      wrong(
        .keepsWrappers, "Keeps wrappers.",
        [
          "normalizer.content.repaired": "Expected the content of AnyCodableValue(",
          "normalizer.any.page": "Expected message(role:",
        ]),
      wrong(
        .hidesRepairs, "Hides repairs.",
        [
          "normalizer.content.repaired": "Expected the warnings of"
        ]),
      wrong(
        .guessesWhatWasCutOff, "Guesses what was cut off.",
        [
          "normalizer.content.corrupted": "to be failure(Expected whole content"
        ]),
      wrong(
        .trimsContent, "Trims content.",
        [
          "normalizer.content.kept": "Expected the content of"
        ]),
      wrong(
        .unwrapsOnce, "Unwraps once.",
        [
          "normalizer.content.again": "Expected the content, again"
        ]),
      wrong(
        .makesUpToolIDs, "Makes up tool i ds.",
        [
          "normalizer.tools.without-id": "Expected the ids to be [nil, nil]"
        ]),
      wrong(
        .losesToolIDs, "Loses tool i ds.",
        [
          "normalizer.tools.page": "Expected the ids to be"
        ]),
      wrong(
        .hidesMissingToolIDs, "Hides missing tool i ds.",
        [
          "normalizer.tools.without-id": "Expected the warnings to be"
        ]),
      wrong(
        .showsHeartbeats, "Shows heartbeats.",
        [
          "normalizer.stream.none": "Expected what becomes of control"
        ]),
      wrong(
        .dropsWhatItCannotRead, "Drops what it cannot read.",
        [
          "normalizer.stream.unreadable": "failure(Expected an event or a message with an id as JSON"
        ]),
      wrong(
        .takesDeltasForWholes, "Takes deltas for wholes.",
        [
          "normalizer.stream.delta": "Expected a message that is still to come."
        ]),
      wrong(
        .namesEachPiece, "Names each piece.",
        [
          "normalizer.stream.id": "Expected the ids to be"
        ]),
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
