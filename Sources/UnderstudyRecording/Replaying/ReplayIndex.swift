import UnderstudyHTTP

/// The entries of a recording by the requests that they answer.
///
/// Keys are made when they are needed: making one decodes the request of its entry. At first entries are told apart by
/// their hashes alone.
struct ReplayIndex: Sendable {
  /// Entries that answer the same request, the secrets in it included.
  struct Line: Sendable {
    let key: RequestKey
    let secrets: [String]
    fileprivate(set) var entries: [Int]
  }

  /// Entries whose requests are the same up to their bodies.
  struct Group: Sendable {
    let head: RequestHead
    fileprivate(set) var entries: [Int]
  }

  private struct Exact: Hashable {
    let key: RequestKey
    let secrets: [String]
  }

  let archive: IndexedArchive
  let keying: RequestKeying
  /// The first entry of each hash, and behind each entry the next of the same hash.
  private var first: [UInt64: Int] = [:]
  private var following: [Int?] = []
  /// `nil` where no key was made yet; `.some(nil)` where the entry has no request that can be asked.
  private var lineOfEntry: [Int??]
  /// Entries of the same head, in the order of their first ones; `nil` while nobody has needed them.
  private(set) var groups: [Group]?
  private var groupOfHead: [RequestHead: Int] = [:]
  private var countOfKeys = 0
  /// In the order in which their keys were made.
  private(set) var lines: [Line] = []
  /// Numbers of lines, in the order of their first entries.
  private var linesOfKey: [RequestKey: [Int]] = [:]
  private var lineOfRequest: [Exact: Int] = [:]
  /// Whose entries all have their keys; a search for the nearest one makes some.
  private var completeHashes: Set<UInt64> = []

  init(_ archive: IndexedArchive, _ keying: RequestKeying) {
    self.archive = archive
    self.keying = keying
    lineOfEntry = Array(repeating: nil, count: archive.entryCount)
    guard keying.keepsRequestHash else { return }
    following = Array(repeating: nil, count: archive.entryCount)
    first.reserveCapacity(archive.entryCount)
    for number in (0..<archive.entryCount).reversed() {
      let hash = archive.requestHash(at: number)
      following[number] = first.updateValue(number, forKey: hash)
    }
  }

  /// Makes the keys of the entries that a request is likely to be answered by.
  mutating func makeKeys(forHash hash: UInt64) {
    guard let start = first[hash], completeHashes.insert(hash).inserted else { return }
    var next: Int? = start
    while let number = next {
      _ = line(ofEntry: number)
      next = following[number]
    }
  }

  /// Makes the keys of every entry that a request can be answered by.
  ///
  /// - Returns: Whether there are more than before.
  mutating func makeKeys(forHead head: RequestHead) -> Bool {
    makeGroups()
    guard let group = groupOfHead[head] else { return false }
    let count = countOfKeys
    for number in groups?[group].entries ?? [] { _ = line(ofEntry: number) }
    return countOfKeys > count
  }

  /// Makes the heads of all entries.
  mutating func makeGroups() {
    guard groups == nil else { return }
    var groups: [Group] = []
    for number in lineOfEntry.indices {
      let known = lineOfEntry[number].map { $0.map { lines[$0].key.head } }
      guard let head = known ?? keying.head(of: archive.request(at: number)) else { continue }
      if let group = groupOfHead[head] {
        groups[group].entries.append(number)
      } else {
        groupOfHead[head] = groups.count
        groups.append(Group(head: head, entries: [number]))
      }
    }
    self.groups = groups
  }

  /// The line that an entry belongs to; `nil` where its request cannot be asked.
  mutating func line(ofEntry number: Int) -> Int? {
    if let known = lineOfEntry[number] { return known }
    countOfKeys += 1
    guard let keyed = keying.keyed(archive.request(at: number)) else {
      lineOfEntry[number] = .some(nil)
      return nil
    }
    let exact = Exact(key: keyed.key, secrets: keyed.secrets)
    if let line = lineOfRequest[exact] {
      lines[line].entries.append(number)
      lineOfEntry[number] = line
      return line
    }
    let line = lines.count
    lineOfRequest[exact] = line
    linesOfKey[keyed.key, default: []].append(line)
    lines.append(Line(key: keyed.key, secrets: keyed.secrets, entries: [number]))
    lineOfEntry[number] = line
    return line
  }

  /// The line of a request whose secrets stand in the recording as they are, of the keys that were made.
  func line(of key: RequestKey, _ secrets: [String]) -> Int? {
    lineOfRequest[Exact(key: key, secrets: secrets)]
  }

  /// The lines of a request but for its secrets, of the keys that were made.
  func lines(of key: RequestKey) -> [Int] {
    linesOfKey[key] ?? []
  }
}
