public import Foundation
public import UnderstudyHTTP

extension HTTPArchive {
  /// Who recorded what.
  public struct Log: HTTPArchiveObject {
    /// Every member, those of HAR 1.2 and others.
    public var members: [JSONValue.Member]

    /// A log of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A log of HAR 1.2 by this package.
    public init(entries: [Entry] = []) {
      members = [
        .init("version", .string("1.2")),
        .init("creator", .object([.init("name", .string("understudy")), .init("version", .string("1"))])),
        .init("entries", JSONValue(entries)),
      ]
    }

    /// The version of the format, `1.2`.
    public var version: String? {
      get { string("version") }
      set { self["version"] = newValue.map(JSONValue.string) }
    }

    /// The name of the tool that wrote the file.
    public var creatorName: String? { self["creator"]?["name"]?.stringValue }

    /// The exchanges.
    public var entries: [Entry] {
      get { objects("entries") }
      set { self["entries"] = JSONValue(newValue) }
    }

    /// When the recording began (`_startedDateTime`), or else its first exchange: what a replay freezes *now* at.
    public var startedDateTime: Date? {
      get { string("_startedDateTime").flatMap(Date.init(archived:)) ?? entries.first?.startedDateTime }
      set { self["_startedDateTime"] = newValue.map { .string($0.archived) } }
    }

    /// The seed that made the random values of the recorded client (`_seed`, written as a string of digits).
    public var seed: UInt64? {
      get { string("_seed").flatMap { UInt64($0) } }
      set { self["_seed"] = newValue.map { .string("\($0)") } }
    }

    /// Whatever the recorder's user wants to find again when replaying (`_fixtures`), an object as a rule.
    ///
    /// For instance the id of the row that a condition of a contract brought about.
    public var fixtures: JSONValue? {
      get { self["_fixtures"] }
      set { self["_fixtures"] = newValue }
    }

    /// The placeholders that stand for secrets, and where each was first seen (`_placeholders`).
    ///
    /// One that was first seen in a request stands for a secret that the client has by itself, so a replay takes
    /// whatever secret the client brings in its place. The others are handed out by the replayed answers.
    public var placeholders: [String: String] {
      get {
        guard case .object(let members) = self["_placeholders"] else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value.stringValue ?? "") }) { $1 }
      }
    }
  }
}
