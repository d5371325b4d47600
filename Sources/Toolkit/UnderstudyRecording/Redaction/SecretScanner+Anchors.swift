import Foundation

extension SecretScanner {
  /// What may be at an anchor.
  enum Anchor: Sendable {
    /// The window of a token of the form with this number.
    case form(Int)
    /// The delimiter after a name.
    case name
    /// The fourth byte of a word that may be in a name.
    case word
    /// The quote after three digits, which may be those of an escape at the end of a name.
    case escape
    /// The delimiter after `kty`.
    case webKey
    /// The slash after a segment that a secret follows.
    case segment
    /// The `//` of a URL.
    case authority
    /// The first letter of a private key's label.
    case privateKey
    /// The hyphen of a placeholder.
    case placeholder
    /// The fourth byte of base64 that begins like JSON.
    case base64
    /// The space after `Bearer`.
    case bearer
    /// The space after `Basic`.
    case basic
    /// The fourth byte of an element `input` or `meta`.
    case tag
    /// A part of the URL of a webhook.
    case webhook
  }

  /// A filter of the positions where a secret may be, by four bytes; it excludes almost all positions.
  ///
  /// Letters are compared without case. A window of four bytes is rare even if two of them are a frequent pair.
  struct Anchors: Sendable {
    private static let mask: UInt8 = 0x20
    /// The number of bits of a hash: the filter fits into the first cache, and few positions of a hundred pass it.
    private static let width: UInt32 = 18
    /// One bit for each hash of a window.
    private var bits = [UInt64](repeating: 0, count: 1 << (width - 6))
    /// The number of the list of each hash.
    private var slots = [UInt16](repeating: 0, count: 1 << width)
    /// The bytes, modulo 64, of which one precedes the four: a name also ends with the letter before its last three.
    private var before: [UInt64] = [0]
    private var lists: [[(window: UInt32, anchor: Anchor)]] = [[]]

    init(of redaction: Redaction, _ fieldNames: SecretNames) {
      if redaction.redactsTokens {
        for (number, form) in TokenForm.all.enumerated() { add(form, number) }
        for webhook in ["ks.s", "oks/", "ookb"] { add(Array(webhook.utf8), .webhook) }
      }
      add(fieldNames)
      if !fieldNames.isEmpty {
        // The end of a percent-encoded name, and of one with an escape.
        for letter in UInt8(ascii: "0")...UInt8(ascii: "9") { addEscaped(letter) }
        for letter in UInt8(ascii: "A")...UInt8(ascii: "]") { addEscaped(letter) }
        for letter in UInt8(ascii: "_")...UInt8(ascii: "z") { addEscaped(letter) }
        for letter in UInt8(0x80)...UInt8(0xBF) { addEscaped(letter) }
        for digits in 0..<4096 {
          let text = String(digits + 4096, radix: 16).dropFirst()
          add(Array(text.utf8) + [UInt8(ascii: "\"")], .escape)
        }
        // `token\u005f2`
        for digit in "123".utf8 {
          for delimiter in "\"=".utf8 { add(Array("5f".utf8) + [digit, delimiter], .name) }
        }
        for tag in ["<inp", "<met", "3cin", "3cme"] { add(Array(tag.utf8), .tag) }
        add(Array("rer ".utf8), .bearer)
        add(Array("sic ".utf8), .basic)
        add(Array("kty\"".utf8), .webKey)
        add(Array("kty\\".utf8), .webKey)
      }
      if fieldNames.contains("password") {
        for last in "abcdefghijklmnopqrstuvwxyz0123456789".utf8 { add([last] + "://".utf8, .authority) }
        for segment in Set(SecretScanner.segmentsBefore.map { $0.suffix(3) }) {
          add(Array(segment.utf8) + [UInt8(ascii: "/")], .segment)
          add(Array((segment.suffix(2) + "\\/").utf8), .segment)
        }
      }
      add(Array("ted-".utf8), .placeholder)
      if redaction.redactsWebTokens {
        for next in "abcdefghijklmnopqrstuvwxyz0123456789".utf8 { add("eyj".utf8 + [next], .base64) }
        for beginning in ["eyAi", "W3si", "ewog", "ewoi", "ew0K"] { add(Array(beginning.utf8), .base64) }
      }
      if redaction.redactsPrivateKeys { add(Array("---B".utf8), .privateKey) }
    }

    private mutating func add(_ form: TokenForm, _ number: Int) {
      let windows = form.window.reduce([[]]) { windows, characters in
        windows.flatMap { window in characters.folded.all.map { window + [$0] } }
      }
      for window in windows { add(window, .form(number)) }
    }

    private mutating func addEscaped(_ letter: UInt8) {
      let digits = Array(String(letter, radix: 16).utf8)
      add([UInt8(ascii: "%")] + digits + [UInt8(ascii: "=")], .name)
      if letter < 0x80 { add([UInt8(ascii: "0")] + digits + [UInt8(ascii: "]")], .name) }
    }

    private mutating func add(_ fieldNames: SecretNames) {
      var tails = fieldNames.tails
      if fieldNames.contains("authorization_code") { tails.insert("code") }
      for tail in tails {
        let bytes = Array(tail.utf8)
        let ending = Array(bytes.suffix(3))
        // The byte before the last three excludes most other words.
        var spellings: [[UInt8]: UInt8?] = [ending: bytes.count > 3 ? bytes[bytes.count - 4] : nil]
        switch ending.count {
        case 3:
          if fieldNames.hasSeparator(nearEndOf: tail) {
            for separator in "_-.".utf8 {
              spellings[[separator, ending[1], ending[2]]] = ending[0]
              spellings[[ending[1], separator, ending[2]]] = ending[0]
            }
            // Percent-encoded: `SESSION%5FID`.
            for digit in "fd".utf8 { spellings[[digit, ending[1], ending[2]]] = .some(nil) }
          }
          // `password2` and `token_2`
          for digit in "123".utf8 {
            for delimiter in "\"=:".utf8 {
              add([ending[1], ending[2], digit, delimiter], .name, after: ending[0])
              for separator in "_-".utf8 {
                add([ending[2], separator, digit, delimiter], .name, after: ending[1])
              }
            }
          }
        case 2:
          for byte in UInt8.min...UInt8.max { spellings[[byte | Self.mask] + ending] = .some(nil) }
        case 1:
          for byte in UInt8.min...UInt8.max {
            for before in "\"'?&#<;[\\6_-, \n".utf8 {
              spellings[[byte | Self.mask, before] + ending] = .some(nil)
            }
          }
        default: break
        }
        for (spelling, before) in spellings {
          for delimiter in "\"=\\%".utf8 { add(spelling + [delimiter], .name, after: before) }
          for delimiter in "':>]< \t\n\r".utf8 { add(spelling + [delimiter], .name, after: before) }
        }
        addEscapes(tail)
      }
      for word in fieldNames.words {
        // Of letters other than the Latin ones, the capitals differ in more than a bit.
        for word in [word, word.uppercased(), word.capitalized] where word.utf8.count >= 4 {
          add(Array(word.utf8.prefix(4)), .word)
        }
        addEscapes(word)
        let ending = Array(word.utf8.suffix(4))
        for delimiter in "\"=:".utf8 where ending.count == 4 {
          add(Array(ending.dropFirst()) + [delimiter], .name, after: ending[0])
        }
      }
    }

    /// Adds the ends of a name in which one of the last characters is percent-encoded or escaped.
    private mutating func addEscapes(_ name: String) {
      let characters = Array(name.unicodeScalars.suffix(3))
      for index in characters.indices {
        for escaped in [String(characters[index]), String(characters[index]).uppercased()] {
          let after = characters[(index + 1)...].map { Array(String($0).utf8) }.joined()
          let unit = escaped.utf16.last.map { String($0, radix: 16) } ?? ""
          let digits = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 4 - unit.utf8.count)) + unit.utf8
          let json = Array((digits + after).suffix(3))
          if after.count < 3 { add(json + [UInt8(ascii: "\\")], .name) }
          for delimiter in "\"".utf8 where (1...2).contains(after.count) { add(json + [delimiter], .name) }
          // In properties.
          for delimiter in "=:".utf8 where after.count < 3 { add(json + [delimiter], .name) }
          let last = escaped.utf8.last.map { String($0, radix: 16) } ?? ""
          let percent = Array((Array(last.utf8) + after).suffix(3))
          // A character at the end has the anchor of an encoded name.
          if percent.count == 3, !after.isEmpty { add(percent + [UInt8(ascii: "=")], .name) }
        }
      }
    }

    /// - Parameter letter: The byte before these four, except for separators; any, if `nil`.
    private mutating func add(_ bytes: [UInt8], _ anchor: Anchor, after letter: UInt8? = nil) {
      var window: UInt32 = 0
      for byte in bytes { window = window << 8 | UInt32(byte | Self.mask) }
      let place = Int(Self.place(of: window))
      bits[place >> 6] |= 1 << UInt64(place & 63)
      if slots[place] == 0 {
        slots[place] = UInt16(truncatingIfNeeded: lists.count)
        lists.append([])
        before.append(0)
      }
      lists[Int(slots[place])].append((window, anchor))
      before[Int(slots[place])] |=
        letter.map { Self.separators | 1 << UInt64(($0 | Self.mask) & 63) } ?? .max
    }

    /// Separators, and the last digits of percent-encoded letters.
    private static let separators: UInt64 = "_-0123456789abcdef".utf8.reduce(0) {
      $0 | 1 << UInt64(($1 | mask) & 63)
    }

    @inline(__always)
    private static func place(of window: UInt32) -> UInt32 {
      (window &* 0x9E37_79B1) >> (32 - width)
    }

    /// Returns the next position whose byte and the three before it may be an anchor, and these four bytes.
    func next(in bytes: Bytes, from start: Int) -> (position: Int, window: UInt32)? {
      bits.withUnsafeBufferPointer { bits in
        var window: UInt32 = 0
        for byte in bytes[max(0, start - 3)..<start] { window = window << 8 | UInt32(byte | Self.mask) }
        var position = start
        let end = bytes.count
        while position < end {
          window = window << 8 | UInt32(bytes[position] | Self.mask)
          let place = Self.place(of: window)
          if bits[Int(place >> 6)] & (1 << UInt64(place & 63)) != 0 {
            let before = before[Int(slots[Int(place)])]
            if before == .max
              || position > 3 && before & (1 << UInt64((bytes[position - 4] | Self.mask) & 63)) != 0
            {
              return (position, window)
            }
          }
          position += 1
        }
        return nil
      }
    }

    /// Returns the anchors of four bytes, among others.
    func list(of window: UInt32) -> [(window: UInt32, anchor: Anchor)] {
      lists[Int(slots[Int(Self.place(of: window))])]
    }
  }
}
