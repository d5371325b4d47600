extension SecretScanner {
  /// What may be at an anchor.
  enum Anchor: Sendable {
    /// The window of a token of the form with this number.
    case form(Int)
    /// A name before a delimiter, which ends with one of these; any name, if the list is empty.
    case name([[UInt8]])
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

    init(of redaction: Redaction, _ fieldNames: NameSet) {
      if redaction.redactsTokens {
        for (number, form) in TokenForm.all.enumerated() { add(form, number) }
        for webhook in ["ks.s", "oks/", "ookb"] { add(Array(webhook.utf8), .webhook) }
      }
      add(names: redaction.fieldNames, fieldNames)
      if !fieldNames.all.isEmpty {
        // The end of a percent-encoded name, and of one with an escape.
        for letter in "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ]".utf8 {
          let digits = Array(String(letter, radix: 16).utf8)
          add([UInt8(ascii: "%")] + digits + [UInt8(ascii: "=")], .name([]))
          add([UInt8(ascii: "0")] + digits + [UInt8(ascii: "\"")], .name([]))
          add([UInt8(ascii: "0")] + digits + [UInt8(ascii: "]")], .name([]))
        }
        for tag in ["<inp", "<met", "3cin", "3cme"] { add(Array(tag.utf8), .tag) }
        add(Array("rer ".utf8), .bearer)
      }
      if fieldNames.contains("password") {
        for last in "abcdefghijklmnopqrstuvwxyz0123456789".utf8 { add([last] + "://".utf8, .authority) }
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
        windows.flatMap { window in characters.folded.map { window + [$0] } }
      }
      for window in windows { add(window, .form(number)) }
    }

    private mutating func add(names: Set<String>, _ fieldNames: NameSet) {
      var endings: [[UInt8]: [[UInt8]]] = [:]
      // Of `token` and `access_token`, the first is enough.
      let shortest = fieldNames.all.filter { name in
        !name.indices.dropFirst().contains { fieldNames.all.contains(Array(name[$0...])) }
      }
      for name in shortest where !name.isEmpty { endings[Array(name.suffix(3)), default: []].append(name) }
      if fieldNames.contains("authorization_code") {
        endings[Array("ode".utf8), default: []].append(Array("code".utf8))
      }
      // A separator may be among the last bytes.
      let separated = Set(
        names.subtracting(Redaction.standardFieldNames).map { NameSet.folded(Array($0.utf8)[...]) })
      for (ending, names) in endings {
        var spellings: Set<[UInt8]> = [ending]
        let isShort = names.contains { separated.contains($0) || $0.suffix(2) == Array("id".utf8)[...] }
        switch ending.count {
        case 3 where isShort:
          for separator in "_-".utf8 {
            spellings.insert([separator, ending[1], ending[2]])
            spellings.insert([ending[1], separator, ending[2]])
          }
        case 2:
          for byte in UInt8.min...UInt8.max { spellings.insert([byte | Self.mask] + ending) }
        case 1:
          for byte in UInt8.min...UInt8.max {
            for before in "\"'?&#<;[\\6_-, \n".utf8 { spellings.insert([byte | Self.mask, before] + ending) }
          }
        default: break
        }
        // One of the last letters is percent-encoded or escaped.
        if ending.count == 3 {
          let digits = ending.map { Array(String($0, radix: 16).utf8) }
          for delimiter in "\"=\\%".utf8 {
            add(digits[0].suffix(1) + [ending[1], ending[2], delimiter], .name([]))
            add(digits[1].suffix(2) + [ending[2], delimiter], .name([]))
          }
        }
        for spelling in spellings {
          for delimiter in "\"=\\%".utf8 { add(spelling + [delimiter], .name(names)) }
          // `code` is a frequent element, and only a secret in the fields of OAuth.
          let others = names.filter { $0 != Array("code".utf8) }
          if others.isEmpty { continue }
          for delimiter in "':>]".utf8 { add(spelling + [delimiter], .name(others)) }
          // An element with attributes. Words before a space are frequent, so only those of passwords are tried.
          if names.contains(where: { $0 == Array("password".utf8) || $0 == Array("token".utf8) }) {
            add(spelling + [0x20], .name(names))
          }
        }
      }
    }

    private mutating func add(_ bytes: [UInt8], _ anchor: Anchor) {
      let window = bytes.reduce(0) { $0 << 8 | UInt32($1 | Self.mask) }
      let place = Int(Self.place(of: window))
      bits[place >> 6] |= 1 << UInt64(place & 63)
      if slots[place] == 0 {
        slots[place] = UInt16(truncatingIfNeeded: lists.count)
        lists.append([])
        before.append(0)
      }
      lists[Int(slots[place])].append((window, anchor))
      before[Int(slots[place])] |= Self.before(anchor)
    }

    private static func before(_ anchor: Anchor) -> UInt64 {
      guard case .name(let names) = anchor, !names.isEmpty, names.allSatisfy({ $0.count > 3 }) else {
        return .max
      }
      // A separator, and the last digit of a percent-encoded letter.
      let others = Array("_-0123456789abcdef".utf8)
      return (names.map { $0[$0.count - 4] } + others).reduce(0) { $0 | 1 << UInt64(($1 | mask) & 63) }
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
