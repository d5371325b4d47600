package import Foundation
package import UnderstudyHTTP

extension HTTPArchive {
  /// The log of a recording: its creator, its entries and its metadata.
  package struct Log: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates a log from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a log of HAR 1.2 with this package as its creator.
    package init(entries: [Entry] = []) {
      members = [
        .init("version", .string("1.2")),
        .init("creator", .object([.init("name", .string("understudy")), .init("version", .string("1"))])),
        .init("entries", JSONValue(entries)),
      ]
    }

    /// The name of the tool that wrote the file.
    package var creatorName: String? { self["creator"]?["name"]?.stringValue }

    /// The exchanges.
    package var entries: [Entry] {
      get { objects("entries") }
      set { self["entries"] = JSONValue(newValue) }
    }

    /// The date on which the recording began (`_startedDateTime`), by default that of its first exchange.
    ///
    /// A replay freezes its date to this value.
    package var startedDateTime: Date? {
      get { string("_startedDateTime").flatMap(Date.init(archived:)) ?? entries.first?.startedDateTime }
      set { self["_startedDateTime"] = newValue.map { .string($0.archived) } }
    }

    /// The seed of the recorded client's random values (`_seed`, a decimal number in a string).
    package var seed: UInt64? {
      get { string("_seed").flatMap { UInt64($0) } }
      set { self["_seed"] = newValue.map { .string("\($0)") } }
    }

    /// Values that the recorder's user needs in a replay (`_fixtures`), usually an object.
    ///
    /// For example the id of a row that a condition of a contract created.
    package var fixtures: JSONValue? {
      get { self["_fixtures"] }
      set { self["_fixtures"] = newValue }
    }

    /// The placeholders of secrets, and where each secret was first seen (`_placeholders`).
    ///
    /// A placeholder first seen in a request represents a secret of the client, so a replay accepts any secret in its
    /// place. The other placeholders are issued by the replayed responses.
    package var placeholders: [String: String] {
      get {
        guard case .object(let members) = self["_placeholders"] else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value.stringValue ?? "") }) { $1 }
      }
    }
  }
}
