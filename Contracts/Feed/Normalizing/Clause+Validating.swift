import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any MessageNormalizing {
  @ContractBuilder<Subject> static var normalizingRoles: [Self] {
    Clause("normalizer.role.known", "Each role is known by its name, and by no other.") { trial in
      let names = [
        "user", "assistant", "system", "error", "toolUse", "toolResult", "resultSuccess", "thinking",
        "localCommand", "localCommandStdout",
      ]
      for name in names {
        let message = try trial.message(of: trial.subject.normalize(.sample("1", role: name)))
        trial.expect(message.role.rawValue, equals: name, "the role")
      }
    }

    Clause(
      "normalizer.role.unknown", "An unknown role is a failure that names it, never another role."
    ) {
      trial in
      var payloads = trial.payloads()
      for _ in 0..<500 {
        let name = payloads.unknownRole()
        trial.expect(.sample(payloads.id(), role: name), becomes: .failure(.invalidRole(name)))
      }
    }
  }

  @ContractBuilder<Subject> static var normalizingTimestamps: [Self] {
    Clause(
      "normalizer.timestamp.known",
      "An ISO 8601 timestamp is read with or without a fraction, and with Z or an offset."
    ) { trial in
      let noon = Date(timeIntervalSince1970: 1_767_441_600)
      for text in [
        "2026-01-03T12:00:00Z", "2026-01-03T12:00:00.000Z", "2026-01-03T13:30:00+01:30",
        "2026-01-03T12:00:00.0-00:00", "2026-01-03t12:00:00z", "2026-01-03t12:00:00.0000000000000000z",
      ] {
        var sample = PaginatedMessage.sample("1")
        sample.timestamp = text
        trial.expect(try trial.message(of: trial.subject.normalize(sample)).timestamp, equals: noon, text)
      }
      var payloads = trial.payloads()
      for _ in 0..<500 {
        let (text, date) = payloads.timestamp()
        var sample = PaginatedMessage.sample("1")
        sample.timestamp = text
        let found = try trial.message(of: trial.subject.normalize(sample)).timestamp
        trial.expect(found, equals: date, text)
      }
    }

    Clause(
      "normalizer.timestamp.precision", "A time is kept to the microsecond, in any year and with any offset."
    ) { trial in
      for (text, seconds, microseconds) in [
        ("2026-01-03T12:00:00.000001Z", 1_767_441_600, 1),
        ("2026-01-03T12:00:00.999999Z", 1_767_441_600, 999_999),
        ("2026-01-03T12:00:00.123456789Z", 1_767_441_600, 123_457),
        ("2026-01-04T02:00:00.5+14:00", 1_767_441_600, 500_000),
        ("2026-01-02T23:59:59.25-12:00", 1_767_441_599, 250_000),
        ("1969-12-31T23:59:59.75Z", -1, 750_000), ("2024-02-29T23:59:59.1Z", 1_709_251_199, 100_000),
        ("2100-03-01T00:00:00.000002Z", 4_107_542_400, 2),
        // A leap second, which is the beginning of the next day, in two time zones.
        ("2016-12-31T23:59:60Z", 1_483_228_800, 0), ("2016-12-31t15:59:60.5-08:00", 1_483_228_800, 500_000),
      ] {
        var sample = PaginatedMessage.sample("1")
        sample.timestamp = text
        let event = StreamEvent.message(StreamedMessage(id: "1", timestamp: text, content: .user("Hello")))
        for result in [trial.subject.normalize(sample), trial.subject.normalize(event)] {
          let date = try trial.message(of: result).timestamp
          // Counted from 2001, so that no microsecond is lost.
          let found = Int((date.timeIntervalSinceReferenceDate * 1_000_000).rounded())
          trial.expect(
            found, equals: (seconds - 978_307_200) * 1_000_000 + microseconds, "the microseconds of \(text)")
        }
      }
    }

    Clause(
      "normalizer.timestamp.unknown",
      "An invalid timestamp, or one without a time zone, is a failure that names it, never the current time."
    ) { trial in
      var payloads = trial.payloads()
      for _ in 0..<500 {
        var sample = PaginatedMessage.sample(payloads.id())
        sample.timestamp = payloads.wrongTimestamp()
        trial.expect(sample, becomes: .failure(.invalidTimestamp(sample.timestamp)))
        trial.expect(
          .message(StreamedMessage(id: sample.id, timestamp: sample.timestamp, content: .user("Hello"))),
          becomes: .failure(.invalidTimestamp(sample.timestamp)))
      }
    }
  }

  @ContractBuilder<Subject> static var normalizingContent: [Self] {
    Clause(
      "normalizer.content.kept", "Content in which nothing is wrong is kept to the letter, without a warning."
    ) {
      trial in
      var payloads = trial.payloads()
      for text in ["", "AnyCodable", "Is AnyCodableValue( a type?"] + (0..<500).map({ _ in payloads.text() })
      {
        let message = try trial.message(of: trial.subject.normalize(.sample("1", content: text)))
        // Compared as bytes: two spellings of an é are equal as strings.
        trial.expect(Array(message.content.utf8), equals: Array(text.utf8), "the content of \"\(text)\"")
        trial.expect(message.warnings, equals: [], "the warnings of \"\(text)\"")
      }
    }

    Clause(
      "normalizer.content.repaired",
      "A wrapped value is unwrapped, with a warning."
    ) {
      trial in
      var payloads = trial.payloads()
      for _ in 0..<500 {
        let (payload, text) = payloads.wrapped()
        let message = try trial.message(of: trial.subject.normalize(.sample("1", content: payload)))
        trial.expect(message.content, equals: text, "the content of \(payload)")
        trial.expect(message.warnings, equals: [.contentWasWrapped], "the warnings of \(payload)")
      }
    }

    Clause(
      "normalizer.content.corrupted", "Content that is cut off inside of a wrapper is a failure that has it."
    ) {
      trial in
      let wrapper = "AnyCodableValue("
      for text in [
        "\(wrapper)\"cut", "\(wrapper)", " \(wrapper)(cut)", String(repeating: wrapper, count: 9),
      ] {
        trial.expect(.sample("1", content: text), becomes: .failure(.corruptedContent(text)))
      }
    }

    Clause(
      "normalizer.content.missing",
      "Missing content is a failure of a message that is nothing else, and otherwise a warning."
    ) { trial in
      let alone: [ChatMessage.Role] = [.user, .assistant, .error, .thinking, .localCommand]
      for role in ChatMessage.Role.allCases {
        var sample = PaginatedMessage.sample("1", role: role.rawValue, content: "")
        sample.warnings = [.contentIsMissing]
        let result = trial.subject.normalize(sample)
        if alone.contains(role) {
          trial.expectCorruption(result, of: "a message of the role \(role)")
        } else {
          trial.expect(
            FeedPayloads.Fate(result), equals: .emptied(role), "a message of the role \(role)")
        }
      }
      for content: StreamContent in [.user(""), .assistant(""), .thinking("")] {
        trial.expectCorruption(
          trial.subject.normalize(.sample("1", content, warnings: [.contentIsMissing])), of: "\(content)")
      }
      for (content, role): (StreamContent, ChatMessage.Role) in [
        (.toolResult(id: "t", tool: "search", output: "", isSuccess: true), .toolResult),
        (.assistant("", isDelta: true), .assistant),
      ] {
        trial.expect(.sample("1", content, warnings: [.contentIsMissing]), becomes: .emptied(role))
      }
    }

    Clause(
      "normalizer.content.left-out",
      "What was left out of a message in decoding is a warning, whatever its role and its source."
    ) { trial in
      let lost: [MessageWarning] = [.blocksWereLeftOut]
      for role in ChatMessage.Role.allCases {
        var sample = PaginatedMessage.sample("1", role: role.rawValue)
        sample.warnings = lost
        let message = try trial.message(of: trial.subject.normalize(sample))
        trial.expect(message.content, equals: "Hello", "the content of a message of the role \(role)")
        trial.expect(message.warnings, equals: lost, "the warnings of a message of the role \(role)")
        sample.content = "AnyCodableValue(\"Hello\")"
        let repaired = try trial.message(of: trial.subject.normalize(sample))
        trial.expect(
          repaired.warnings, equals: lost + [.contentWasWrapped],
          "the warnings of a repaired message of the role \(role)")
      }
      let parts = [StreamContent.assistant("Hel", isDelta: true), .assistant("Hello")]
      for content in StreamContent.wholeMessages.map(\.content) + parts {
        let whole = try trial.message(of: trial.subject.normalize(.sample("1", content)))
        let message = try trial.message(
          of: trial.subject.normalize(.sample("1", content, warnings: lost)))
        trial.expect(message.content, equals: whole.content, "the content of \(content)")
        trial.expect(message.warnings, equals: lost + whole.warnings, "the warnings of \(content)")
      }
    }

    Clause(
      "normalizer.content.again",
      "To normalise what has been normalised changes nothing, and warns of nothing."
    ) {
      trial in
      var payloads = trial.payloads()
      for _ in 0..<1_000 {
        var (message, _) = payloads.paginated()
        guard case .success(let once) = trial.subject.normalize(message) else { continue }
        message.content = once.content
        let twice = try trial.message(of: trial.subject.normalize(message))
        trial.expect(twice.content, equals: once.content, "the content, again")
        trial.expect(twice.warnings, equals: [], "the warnings, again")
      }
    }
  }

  @ContractBuilder<Subject> static var normalizingAnything: [Self] {
    Clause("normalizer.any.page", "Of five thousand messages of pages each becomes what the rules say.") {
      trial in
      var payloads = trial.payloads()
      for _ in 0..<5_000 {
        let (message, fate) = payloads.paginated()
        let result = trial.subject.normalize(message)
        trial.expect(FeedPayloads.Fate(result) == fate, "Expected \(fate) of \(message), found \(result).")
      }
    }

    Clause("normalizer.any.event", "Of five thousand events each becomes what the rules say.") { trial in
      var payloads = trial.payloads()
      for _ in 0..<5_000 {
        let (event, fate) = payloads.event()
        let result = try trial.require(trial.subject.normalize(event), "Expected a message of \(event).")
        trial.expect(FeedPayloads.Fate(result) == fate, "Expected \(fate) of \(event), found \(result).")
      }
    }
  }
}
