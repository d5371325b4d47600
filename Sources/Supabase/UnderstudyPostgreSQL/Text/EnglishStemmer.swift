/// The stemmer "English" (Porter2) of the Snowball project, after the description of its algorithm.
struct EnglishStemmer {
  /// In lower case.
  ///
  /// A `y` that is a consonant is `Y`.
  private var word: [Unicode.Scalar]
  private var first = 0
  private var second = 0

  static func stem(_ word: String) -> String {
    var stemmer = EnglishStemmer(word)
    return stemmer.run()
  }

  private init(_ word: String) { self.word = Array(word.unicodeScalars) }

  private static let exceptions: [String: String] = [
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
    "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky",
    "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
  ]

  private static let invariants: Set<String> = [
    "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
  ]

  private var text: String { Function.string(word[...]) }

  private mutating func run() -> String {
    if word.count <= 2 { return text }
    if let exception = Self.exceptions[text] { return exception }
    if word[0] == "'" { word.removeFirst() }
    for index in word.indices where word[index] == "y" && (index == 0 || isVowel(index - 1)) {
      word[index] = "Y"
    }
    findRegions()
    removePossessive()
    removePlural()
    if Self.invariants.contains(text) { return text }
    removeVerbalEnding()
    if word.count > 2, let last = word.last, last == "y" || last == "Y", !isVowel(word.count - 2) {
      word[word.count - 1] = "i"
    }
    replaceLongSuffix()
    replaceShortSuffix()
    removeSuffix()
    removeFinalLetter()
    return Function.string(word.map { $0 == "Y" ? "y" : $0 }[...])
  }

  private func isVowel(_ index: Int) -> Bool { "aeiouy".unicodeScalars.contains(word[index]) }

  /// R1 is after the first consonant that follows a vowel, R2 likewise within R1.
  private mutating func findRegions() {
    first = region(from: 0)
    for prefix in ["gener", "commun", "arsen"] where word.starts(with: prefix.unicodeScalars) {
      first = prefix.utf8.count
    }
    second = region(from: first)
  }

  private func region(from start: Int) -> Int {
    var index = start
    while index < word.count, !isVowel(index) { index += 1 }
    while index < word.count, isVowel(index) { index += 1 }
    return min(index + 1, word.count)
  }

  private func hasSuffix(_ suffix: String) -> Bool {
    word.reversed().starts(with: suffix.unicodeScalars.reversed())
  }

  /// The longest of some suffixes that the word has.
  private func longest(_ suffixes: some Sequence<String>) -> String? {
    suffixes.filter { hasSuffix($0) }.max { $0.utf8.count < $1.utf8.count }
  }

  private mutating func replace(_ suffix: String, with text: String = "") {
    word.removeLast(suffix.utf8.count)
    word += text.unicodeScalars
  }

  private func start(of suffix: String) -> Int { word.count - suffix.utf8.count }

  private mutating func removePossessive() {
    if let suffix = longest(["'", "'s", "'s'"]) { replace(suffix) }
  }

  private mutating func removePlural() {
    switch longest(["sses", "ied", "ies", "us", "ss", "s"]) {
    case "sses"?: replace("sses", with: "ss")
    case let suffix? where suffix == "ied" || suffix == "ies":
      replace(suffix, with: word.count > 4 ? "i" : "ie")
    case "s"?: if word.count > 2, (0..<word.count - 2).contains(where: isVowel) { replace("s") }
    default: break
    }
  }

  private mutating func removeVerbalEnding() {
    guard let suffix = longest(["eed", "eedly", "ed", "edly", "ing", "ingly"]) else { return }
    if suffix.hasPrefix("eed") {
      if start(of: suffix) >= first { replace(suffix, with: "ee") }
      return
    }
    guard (0..<start(of: suffix)).contains(where: isVowel) else { return }
    replace(suffix)
    if longest(["at", "bl", "iz"]) != nil {
      word.append("e")
    } else if longest(["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"]) != nil {
      word.removeLast()
    } else if first >= word.count, endsInShortSyllable(word.count) {
      word.append("e")
    }
  }

  /// Whether the letters before an index end in a short syllable.
  private func endsInShortSyllable(_ end: Int) -> Bool {
    if end == 2 { return isVowel(0) && !isVowel(1) }
    guard end > 2, isVowel(end - 2), !isVowel(end - 1), !isVowel(end - 3) else { return false }
    return !"wxY".unicodeScalars.contains(word[end - 1])
  }

  private static let longSuffixes: [String: String] = [
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
    "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al",
    "alli": "al", "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive",
    "biliti": "ble", "bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": "",
  ]

  private mutating func replaceLongSuffix() {
    guard let suffix = longest(Self.longSuffixes.keys), let new = Self.longSuffixes[suffix],
      start(of: suffix) >= first
    else { return }
    let before = start(of: suffix) > 0 ? word[start(of: suffix) - 1] : nil
    switch suffix {
    case "ogi": if before == "l" { replace(suffix, with: new) }
    case "li":
      if let before, "cdeghkmnrt".unicodeScalars.contains(before) { replace(suffix) }
    default: replace(suffix, with: new)
    }
  }

  private static let shortSuffixes: [String: String] = [
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
    "ness": "", "ative": "",
  ]

  private mutating func replaceShortSuffix() {
    guard let suffix = longest(Self.shortSuffixes.keys), let new = Self.shortSuffixes[suffix],
      start(of: suffix) >= first
    else { return }
    if suffix != "ative" || start(of: suffix) >= second { replace(suffix, with: new) }
  }

  private static let suffixes = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate", "iti",
    "ous", "ive", "ize", "ion",
  ]

  private mutating func removeSuffix() {
    guard let suffix = longest(Self.suffixes), start(of: suffix) >= second else { return }
    if suffix == "ion" {
      let before = word[start(of: suffix) - 1]
      guard before == "s" || before == "t" else { return }
    }
    replace(suffix)
  }

  private mutating func removeFinalLetter() {
    let last = word.count - 1
    if word.last == "e" {
      if last >= second || last >= first && !endsInShortSyllable(last) { word.removeLast() }
    } else if word.last == "l", last >= second, last > 0, word[last - 1] == "l" {
      word.removeLast()
    }
  }
}
