import Foundation
import UnderstudyHTTP

/// The first line of a journal, which identifies its recording.
struct JournalHeader: Sendable, Hashable {
  private static let version = 1

  /// The id of the journal, which the finished recording stores.
  let id: String
  let started: Date
  let seed: UInt64?
  /// Whether the journal replaces the recording when it finishes, and is ignored until then.
  let isReplacing: Bool

  init(started: Date, seed: UInt64?, isReplacing: Bool = false) {
    self.isReplacing = isReplacing
    id = String(UInt64.random(in: .min ... .max), radix: 16)
    self.started = started
    self.seed = seed
  }

  /// Parses a line; `nil` if it is not a header of this version.
  init?(_ line: JSONValue) {
    guard line["understudyJournal"]?.integerValue == Self.version, let id = line["id"]?.stringValue,
      let started = line["startedDateTime"]?.stringValue.flatMap(Date.init(archived:))
    else { return nil }
    self.id = id
    self.started = started
    seed = line["seed"]?.stringValue.flatMap { UInt64($0) }
    isReplacing = line["replaces"] == .boolean(true)
  }

  var line: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("understudyJournal", JSONValue(Self.version)), .init("id", .string(id)),
      .init("startedDateTime", .string(started.archived)),
    ]
    if let seed { members.append(.init("seed", .string("\(seed)"))) }
    if isReplacing { members.append(.init("replaces", .boolean(true))) }
    var line: [UInt8] = []
    JSONValue.object(members).write(into: &line)
    line.append(0x0A)
    return line
  }
}
