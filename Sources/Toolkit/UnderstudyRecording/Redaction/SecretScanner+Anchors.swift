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
    /// The last byte of an encoded character, which may be in a name.
    case encoded
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
    /// The space after the option `-u`, or the quote after `identified by`.
    case option
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
    /// The anchors by list, and where each list begins.
    private var entries: [(window: UInt32, anchor: Anchor)] = []
    private var starts: [Int] = []

    /// The same lists, each on its own, until they are complete.
    private var lists: [[(window: UInt32, anchor: Anchor)]] = [[]]

    init(of redaction: Redaction, _ fieldNames: SecretNames) {
      if redaction.redactsTokens {
        for (number, form) in TokenForm.all.enumerated() { add(form, number) }
        for webhook in ["ks.s", "oks/", "ookb", "o/v3", "m/v2", "th/k"] { add(Array(webhook.utf8), .webhook) }
      }
      add(fieldNames)
      if !fieldNames.isEmpty {
        addEncoded()
        for tag in ["<inp", "<met", "3cin", "3cme"] { add(Array(tag.utf8), .tag) }
        for space in " .".utf8 { add("rer".utf8 + [space], .bearer) }
        add(Array("sic ".utf8), .basic)
        for option in [" -u ", "ser ", "by '"] { add(Array(option.utf8), .option) }
        add(Array("kty\"".utf8), .webKey)
        add(Array("kty\\".utf8), .webKey)
      }
      if fieldNames.contains("password") {
        for last in "abcdefghijklmnopqrstuvwxyz0123456789".utf8 {
          add([last] + "://".utf8, .authority)
          add([last] + ":\\/".utf8, .authority)
        }
        for segment in Set(SecretScanner.segmentsBefore.map { $0.suffix(3) }) {
          add(Array(segment.utf8) + [UInt8(ascii: "/")], .segment)
          add(Array((segment.suffix(2) + "\\/").utf8), .segment)
        }
        add(Array("ets/".utf8), .segment)
      }
      add(Array("ted-".utf8), .placeholder)
      if redaction.redactsWebTokens {
        for next in "abcdefghijklmnopqrstuvwxyz0123456789".utf8 {
          add("eyj".utf8 + [next], .base64)
          // A name with a letter other than the Latin ones.
          add("eyl".utf8 + [next], .base64)
        }
        for beginning in ["eyAi", "W3si", "ewog", "ewoi", "ew0K", "H4sI", "LS0t"] {
          add(Array(beginning.utf8), .base64)
        }
      }
      if redaction.redactsPrivateKeys { add(Array("---B".utf8), .privateKey) }
      finish()
    }

    private mutating func add(_ form: TokenForm, _ number: Int) {
      let windows = form.window.reduce([[]]) { windows, characters in
        windows.flatMap { window in characters.folded.all.map { window + [$0] } }
      }
      for window in windows { add(window, .form(number)) }
    }

    /// Adds characters that are escaped in JSON, and percent-encoded letters.
    private mutating func addEncoded() {
      func digits(_ byte: UInt8) -> [UInt8] { Array(String(Int(byte) + 256, radix: 16).utf8.dropFirst()) }
      for high in UInt8.min...UInt8.max { add(Array("\\u".utf8) + digits(high), .encoded) }
      let next = Array("abcdefghijklmnopqrstuvwxyz0123456789%=_-.".utf8)
      // The first byte of two in UTF-8, and letters, brackets and separators.
      for byte in UInt8(0xC2)...UInt8(0xF4) {
        add([UInt8(ascii: "%")] + digits(byte) + [UInt8(ascii: "%")], .encoded)
      }
      for byte in [UInt8(ascii: "-")] + Array(0x41...0x7A) {
        for next in next { add([UInt8(ascii: "%")] + digits(byte) + [next], .encoded) }
      }
    }

    private mutating func add(_ fieldNames: SecretNames) {
      var tails = fieldNames.tails
      if fieldNames.contains("authorization_code") {
        tails.formUnion(["code", "ppid", "cket", "tok"])
        add(Array("ode.".utf8), .name, after: UInt8(ascii: "c"))
      }
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
          }
          // `password2` and `token_2`
          for digit in "123".utf8 {
            add(ending + [digit], .word, after: bytes.count > 3 ? bytes[bytes.count - 4] : nil)
            add([ending[1], ending[2], UInt8(ascii: "_"), digit], .word, after: ending[0])
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
          for delimiter in "':>]<& \t\n\r".utf8 { add(spelling + [delimiter], .name, after: before) }
        }
      }
      for word in fieldNames.words {
        // Of letters other than the Latin ones, the capitals differ in more than a bit.
        for word in [word, word.uppercased(), word.capitalized] where word.utf8.count >= 4 {
          add(Array(word.utf8.prefix(4)), .word)
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
    private static let separators: UInt64 = "_- 0123456789abcdef".utf8.reduce(0) {
      $0 | 1 << UInt64(($1 | mask) & 63)
    }

    @inline(__always)
    private static func place(of window: UInt32) -> UInt32 {
      (window &* 0x9E37_79B1) >> (32 - width)
    }

    /// Puts the lists into one, which takes no time to read.
    private mutating func finish() {
      for list in lists {
        starts.append(entries.count)
        entries += list
      }
      starts.append(entries.count)
      lists = []
    }

    /// Calls a function with each anchor and its last position, which returns the position from which to go on.
    func search(_ bytes: Bytes, _ body: (_ position: Int, _ anchor: Anchor) -> Int) {
      bits.withUnsafeBufferPointer { bits in
        before.withUnsafeBufferPointer { before in
          entries.withUnsafeBufferPointer { entries in
            var window: UInt32 = 0
            var position = 0
            let end = bytes.count
            while position < end {
              window = window << 8 | UInt32(bytes[position] | Self.mask)
              let place = Self.place(of: window)
              guard bits[Int(place >> 6)] & (1 << UInt64(place & 63)) != 0 else {
                position += 1
                continue
              }
              let slot = Int(slots[Int(place)])
              let mask = before[slot]
              guard
                mask == .max
                  || position > 3 && mask & (1 << UInt64((bytes[position - 4] | Self.mask) & 63)) != 0
              else {
                position += 1
                continue
              }
              var next = position + 1
              for entry in entries[starts[slot]..<starts[slot + 1]] where entry.window == window {
                next = max(next, body(position, entry.anchor))
                if next > position + 1 { break }
              }
              // The bytes before the next position are part of its window.
              for byte in bytes[max(position + 1, next - 3)..<max(position + 1, min(next, end))] {
                window = window << 8 | UInt32(byte | Self.mask)
              }
              position = next
            }
          }
        }
      }
    }
  }
}
