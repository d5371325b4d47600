import Foundation
import UnderstudyTransport

/// The first line of a journal: which recording it is of.
struct JournalHeader: Sendable, Hashable {
  private static let version = 1

  /// What the finished recording knows it by.
  let id: String
  let started: Date
  let seed: UInt64?

  init(started: Date, seed: UInt64?) {
    id = String(UInt64.random(in: .min ... .max), radix: 16)
    self.started = started
    self.seed = seed
  }

  /// Reads a line; `nil` where it is none of this version.
  init?(_ line: JSONValue) {
    guard line["understudyJournal"]?.integerValue == Self.version, let id = line["id"]?.stringValue,
      let started = line["startedDateTime"]?.stringValue.flatMap(Date.init(archived:))
    else { return nil }
    self.id = id
    self.started = started
    seed = line["seed"]?.stringValue.flatMap { UInt64($0) }
  }

  var line: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("understudyJournal", JSONValue(Self.version)), .init("id", .string(id)),
      .init("startedDateTime", .string(started.archived)),
    ]
    if let seed { members.append(.init("seed", .string("\(seed)"))) }
    var line: [UInt8] = []
    JSONValue.object(members).write(into: &line)
    line.append(0x0A)
    return line
  }
}
