/// A set of names that are compared without case, hyphens and underscores, as bytes.
///
/// It also contains the longer names that end with one of its names as a part of their own: `old_password`,
/// `user[password]` and `apiToken` end with `password` and `token`, but `passwordless` does not.
struct NameSet: Sendable {
  private let names: Set<[UInt8]>
  /// The names that also count as the last part of a longer one.
  private let endings: Set<[UInt8]>
  /// The length of the longest of them.
  private let longestEnding: Int
  /// The last two letters of every name, by which most others are excluded: one bit for each pair.
  private let tails: [UInt64]

  /// - Parameter endings: The names that also count as the last part of a longer one, if they are in the set.
  init(_ names: some Sequence<String>, endings: Set<String> = []) {
    self.names = Set(names.map { Self.folded(Array($0.utf8)[...]) })
    self.endings = Set(endings.map { Self.folded(Array($0.utf8)[...]) }).intersection(self.names)
    longestEnding = self.endings.map(\.count).max() ?? 0
    var tails = [UInt64](repeating: 0, count: 1 << 10)
    for name in self.names {
      let tail = name.withUnsafeBufferPointer(Self.tail)
      tails[tail >> 6] |= 1 << UInt64(tail & 63)
    }
    self.tails = tails
  }

  /// The names, in lower case and without separators.
  var all: Set<[UInt8]> { names }

  func contains(_ name: String) -> Bool {
    name.utf8.withContiguousStorageIfAvailable(contains) ?? Array(name.utf8).withUnsafeBufferPointer(contains)
  }

  func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    contains(UnsafeBufferPointer(rebasing: bytes[range]))
  }

  private func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let tail = Self.tail(of: bytes)
    guard tails[tail >> 6] & (1 << UInt64(tail & 63)) != 0 else { return false }
    let name = Array(bytes)[...]
    if names.contains(Self.folded(name)) { return true }
    guard !endings.isEmpty else { return false }
    let parts = Self.parts(of: name)
    var ending: [UInt8] = []
    for index in parts.indices.reversed() where index > 0 {
      ending = parts[index] + ending
      if ending.count > longestEnding { break }
      if endings.contains(ending) { return !Self.describes(parts[index - 1]) }
    }
    // A name such as `userpassword`, without any separator.
    guard let last = parts.last else { return false }
    for ending in Self.joined
    where last.count > ending.utf8.count && last.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
      return endings.contains(Array(ending.utf8)) && !Self.describes(Array(last.dropLast(ending.utf8.count)))
    }
    return false
  }

  /// The names that are long enough to be recognized without a separator before them.
  private static let joined = [
    "password", "passwd", "apikey", "accesstoken", "authtoken", "secretkey", "clientsecret",
  ]

  /// Words before `password` or `token` in the name of a label, a rule or a position, which is not a secret.
  private static let describing: Set<String> = [
    "forgot", "forgotten", "forget", "reset", "change", "enter", "invalid", "wrong", "incorrect", "show",
    "hide",
    "toggle", "require", "required", "requires", "no", "has", "is", "use", "uses", "with", "without", "set",
    "update",
    "need", "needs", "lost", "weak", "strong", "min", "max", "missing", "choose", "create", "expired", "your",
    "a",
    "the", "next", "page", "nextpage", "prevpage", "prev", "previous", "continuation", "sync", "nextsync",
    "cursor",
    "cancellation", "cancel", "pagination", "start", "end", "first", "last", "design", "color", "prompt",
    "completion", "total", "stop", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "special", "input",
    "output",
    "per", "syntax", "comment", "keyword", "type", "string", "number", "skip", "empty",
  ]

  private static func describes(_ part: [UInt8]) -> Bool {
    describing.contains(String(decoding: part, as: UTF8.self))
  }

  /// Returns the last two bytes of a name that belong to its parts, in lower case.
  private static func tail(of name: UnsafeBufferPointer<UInt8>) -> Int {
    var tail = 0
    var count = 0
    for byte in name.reversed() where isOfPart(byte) {
      tail |= Int(lowercased(byte)) << (8 * count)
      count += 1
      if count == 2 { break }
    }
    return tail
  }

  /// Returns the name in lower case, without hyphens and underscores.
  static func folded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    name.compactMap { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") ? nil : lowercased($0) }
  }

  /// Returns the parts of a name in lower case, divided at separators, brackets and humps.
  static func parts(of name: ArraySlice<UInt8>) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var part: [UInt8] = []
    for (index, byte) in zip(name.indices, name) {
      guard isOfPart(byte) else {
        if !part.isEmpty { parts.append(part) }
        part = []
        continue
      }
      if isUpper(byte), !part.isEmpty {
        let followsSmall = !isUpper(name[index - 1])
        // The last capital of `APIToken` begins a part.
        let precedesSmall = index + 1 < name.endIndex && isLower(name[index + 1])
        if followsSmall || precedesSmall {
          parts.append(part)
          part = []
        }
      }
      part.append(lowercased(byte))
    }
    if !part.isEmpty { parts.append(part) }
    return parts
  }

  private static func isOfPart(_ byte: UInt8) -> Bool {
    isUpper(byte) || isLower(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte >= 0x80
  }

  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
}
