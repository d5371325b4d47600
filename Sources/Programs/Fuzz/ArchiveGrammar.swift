import Understudy

/// A generator of small HAR documents, some with an additional or missing member or a wrong type.
struct ArchiveGrammar {
  var random: SeededGenerator

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

  mutating func document() -> String {
    let mark = chance(8) ? "\u{FEFF}" : ""
    let entries = (0..<Int.random(in: 0...3, using: &random)).map { _ in entry() }
    let list = "[" + entries.joined(separator: ",") + "]"
    let log = object([
      ("version", text()), ("creator", object([("name", text())])), ("pages", "[]"), ("entries", list),
      ("_placeholders", "{}"),
    ])
    return mark + object([("log", log)]) + pick(["", "\n", String(repeating: " ", count: 70)])
  }

  private mutating func entry() -> String {
    var members = [
      ("startedDateTime", #""2026-01-03T13:00:00Z""#), ("time", number()), ("request", request()),
      ("response", response()), ("cache", "{}"),
    ]
    if chance(2) { members.append(("timings", object([("send", number()), ("wait", "-1")]))) }
    if chance(4) { members.append(("_webSocketMessages", "[\(message()),\(message())]")) }
    if chance(4) {
      members.append(("_webSocketEnd", object([("time", number()), ("by", text()), ("status", number())])))
    }
    return object(members)
  }

  private mutating func request() -> String {
    var members = [
      ("method", pick([#""GET""#, #""P\u004fST""#])),
      (
        "url",
        pick([#""https://a.example/b/c?d#e""#, #""https:\/\/a.example\/redacted-1""#, #""\u002f%C3%A9é""#])
      ),
      ("headers", pairs()),
    ]
    if chance(2) { members += [("cookies", pairs()), ("queryString", pairs()), ("bodySize", number())] }
    if chance(3) {
      members.append(
        ("postData", object([("mimeType", text()), body(), ("_encoding", encoding()), ("params", pairs())])))
    }
    return object(members)
  }

  private mutating func response() -> String {
    let chunk = object([("size", pick(["1", "0", "2.0", "1e2"])), ("time", number())])
    let stream = object([("chunks", "[\(chunk)]"), ("end", object([("time", number()), ("code", text())]))])
    var content = [("size", number()), body(), ("encoding", encoding())]
    if chance(4) { content.append(("_stream", stream)) }
    return object([
      ("status", pick(["200", "0", "-0", "2.04e2"])), ("headers", pairs()), ("redirectURL", text()),
      ("content", object(content)),
    ])
  }

  private mutating func message() -> String {
    object([("type", text()), ("time", number()), ("opcode", pick(["1", "2", "2.0"])), ("data", body().1)])
  }

  private mutating func pairs() -> String {
    let pairs = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      object([("name", text()), ("value", text())])
    }
    return "[" + pairs.joined(separator: ",") + "]"
  }

  private mutating func body() -> (String, String) {
    (
      "text",
      pick([
        #""""#, #""YQ==""#, #""YWJj""#, #""\u0059WI=""#, #""a\/+b""#, #""abc""#, #""a=bc""#, #""YQ==YQ==""#,
        text(), "\"" + String(repeating: "Ab3/", count: 9) + "\"",
      ])
    )
  }

  private mutating func encoding() -> String { pick([#""base64""#, #""\u0062ase64""#, #""""#, "null"]) }

  private mutating func number() -> String {
    pick(["0", "12.5", "-1", "1e9", "0.25E-3", "1e308", "1e309", String(repeating: "9", count: 310)])
  }

  /// A string with a length around the block sizes of the scanner.
  private mutating func text() -> String {
    var text = String(
      repeating: "a", count: [0, 1, 5, 14, 15, 16, 17, 30, 62, 70].randomElement(using: &random) ?? 0)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = text.unicodeScalars.indices.randomElement(using: &random) ?? text.startIndex
      if text[..<place].last == "\\" { continue }
      text.insert(
        contentsOf: pick([
          #"\""#, #"\\"#, #"\n"#, #"\/"#, #"\u00e9"#, #"\ud83d\ude00"#, "é", "日本", "😀", "\u{7F}", "\u{FEFF}",
        ]), at: place)
    }
    return "\"\(text)\""
  }

  // MARK: Objects

  private mutating func object(_ members: [(String, String)]) -> String {
    var members = members
    if chance(24) { members.shuffle(using: &random) }
    if chance(24), let index = members.indices.randomElement(using: &random) { members.remove(at: index) }
    if chance(16), let member = members.randomElement(using: &random) {
      let value = chance(2) ? member.1 : anything()
      members.insert((member.0, value), at: Int.random(in: 0...members.count, using: &random))
    }
    if chance(24), let index = members.indices.randomElement(using: &random) { members[index].1 = anything() }
    if chance(8) { members.append(("_\(members.count)", anything())) }
    let texts = members.map { "\(space())\(name($0.0))\(space()):\(space())\($0.1)\(space())" }
    return "{" + texts.joined(separator: ",") + "}"
  }

  private mutating func anything() -> String {
    pick([
      "null", "true", "false", "1", "-1", "1e999", #""""#, "[]", "{}", "[[1],{\"a\":[{}]}]", "[null]", text(),
    ])
  }

  private mutating func name(_ name: String) -> String {
    guard chance(24), let first = name.unicodeScalars.first else { return "\"\(name)\"" }
    return "\"\\u00\(String(first.value, radix: 16))\(name.dropFirst())\""
  }

  private mutating func space() -> String {
    chance(12) ? pick([" ", "\n", "\t\r\n  ", "\n" + String(repeating: " ", count: 40)]) : ""
  }
}
