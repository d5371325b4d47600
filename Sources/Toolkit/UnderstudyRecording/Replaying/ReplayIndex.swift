import UnderstudyHTTP

/// An index of the entries of a recording by their requests.
///
/// Keys are computed on demand, because computing one decodes the request of its entry. Until then, entries are
/// distinguished only by their hashes.
struct ReplayIndex: Sendable {
  /// Entries with equal requests, including secrets.
  struct Line: Sendable {
    let key: RequestKey
    let secrets: [String]
    fileprivate(set) var entries: [Int]
  }

  /// Entries with equal requests, except for their bodies.
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
  /// The first entry of each hash; `following` contains the next entry with the same hash.
  private var first: [UInt64: Int] = [:]
  private var following: [Int?] = []
  /// The line of each entry: `nil` if its key is not computed yet, `.some(nil)` if its request cannot be sent.
  private var lineOfEntry: [Int??]
  /// Entries with equal heads, in the order of their first entries; `nil` until they are needed.
  private(set) var groups: [Group]?
  private var groupOfHead: [RequestHead: Int] = [:]
  private var countOfKeys = 0
  /// The lines, in the order in which their keys were computed.
  private(set) var lines: [Line] = []
  /// The indices of lines, in the order of their first entries.
  private var linesOfKey: [RequestKey: [Int]] = [:]
  private var lineOfRequest: [Exact: Int] = [:]
  /// Whether a computed key has a flattened body.
  private(set) var hasFlattened = false
  /// The hashes whose entries all have keys; a search for the nearest entry computes only some keys.
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

  /// Computes the keys of the entries with the hash of a request.
  mutating func makeKeys(forHash hash: UInt64) {
    guard let start = first[hash], completeHashes.insert(hash).inserted else { return }
    var next: Int? = start
    while let number = next {
      _ = line(ofEntry: number)
      next = following[number]
    }
  }

  /// Computes the keys of all entries that can match a request.
  ///
  /// - Returns: Whether new keys were computed.
  mutating func makeKeys(forHead head: RequestHead) -> Bool {
    makeGroups()
    guard let group = groupOfHead[head] else { return false }
    let count = countOfKeys
    for number in groups?[group].entries ?? [] { _ = line(ofEntry: number) }
    return countOfKeys > count
  }

  /// Computes the heads of all entries.
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

  /// Returns the line of an entry; `nil` if its request cannot be sent.
  mutating func line(ofEntry number: Int) -> Int? {
    if let known = lineOfEntry[number] { return known }
    countOfKeys += 1
    guard let keyed = keying.keyed(archive.request(at: number)) else {
      lineOfEntry[number] = .some(nil)
      return nil
    }
    if keyed.key.isFlattened { hasFlattened = true }
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

  /// Returns the line of a request with these recorded secrets, among the computed keys.
  func line(of key: RequestKey, _ secrets: [String]) -> Int? {
    lineOfRequest[Exact(key: key, secrets: secrets)]
  }

  /// Returns the lines of a request regardless of its secrets, among the computed keys.
  func lines(of key: RequestKey) -> [Int] {
    linesOfKey[key] ?? []
  }
}
