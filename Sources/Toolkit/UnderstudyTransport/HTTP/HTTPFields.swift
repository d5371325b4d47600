import Foundation

extension HTTP {
  /// The header fields of a message, in order, with case-insensitive names (RFC 9110 §5.1).
  public struct Fields: Sendable {
    /// One field line.
    public struct Field: Sendable, Hashable {
      /// The name in its original case.
      public let name: String
      /// The value without surrounding white space.
      public let value: String
      /// Whether the bytes of the value are ISO 8859-1, as those of a value that is not UTF-8 are read.
      ///
      /// It is sent as the same bytes, which are opaque to HTTP (`obs-text`, RFC 9110 §5.5).
      package let isLatin1: Bool

      /// Creates a field line.
      package init(name: String, value: String, isLatin1: Bool = false) {
        self.name = name
        self.value = value
        self.isLatin1 = isLatin1
      }

      /// The bytes of the value.
      package var bytes: [UInt8] {
        guard isLatin1 else { return Array(value.utf8) }
        let latin1 = value.unicodeScalars.map { UInt8(exactly: $0.value) }
        // A value that was changed since may have other characters.
        return latin1.contains(nil) ? Array(value.utf8) : latin1.compactMap(\.self)
      }
    }

    private var lines: [Field]

    /// Creates fields in this order.
    package init(_ fields: [Field] = []) {
      lines = fields
    }

    /// The values of all lines with a name, in order.
    ///
    /// `Set-Cookie` may have several.
    public func values(of name: String) -> [String] {
      lines.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// The value of the lines with a name; several values are joined with commas (RFC 9110 §5.3).
    ///
    /// Setting replaces all lines of that name by one, at the position of the first; `nil` removes them.
    public subscript(name: String) -> String? {
      get {
        var value: String?
        for line in lines where Self.same(line.name, name) {
          value = value.map { "\($0), \(line.value)" } ?? line.value
        }
        return value
      }
      set {
        let place = lines.firstIndex { Self.same($0.name, name) }
        lines.removeAll { Self.same($0.name, name) }
        if let newValue {
          lines.insert(Field(name: name, value: newValue), at: place ?? lines.endIndex)
        }
      }
    }

    /// Appends a line, and keeps existing lines of the same name.
    public mutating func append(name: String, value: String) {
      append(Field(name: name, value: value))
    }

    /// Appends a line, and keeps existing lines of the same name.
    package mutating func append(_ field: Field) {
      lines.append(field)
    }

    private static func same(_ one: String, _ other: String) -> Bool {
      one.utf8.count == other.utf8.count
        && zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
      byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
  }
}

extension HTTP.Fields: RandomAccessCollection {
  /// The position of the first line.
  public var startIndex: Int { lines.startIndex }
  /// The position after the last line.
  public var endIndex: Int { lines.endIndex }
  /// The line at a position.
  public subscript(position: Int) -> Field { lines[position] }
}

extension HTTP.Fields: ExpressibleByDictionaryLiteral {
  /// Creates fields in the order of the literal; a name may occur several times.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HTTP.Fields: Hashable {
  /// Whether both have the same lines in the same order, with case-insensitive names.
  public static func == (one: HTTP.Fields, other: HTTP.Fields) -> Bool {
    one.lines.count == other.lines.count
      && zip(one.lines, other.lines).allSatisfy { same($0.name, $1.name) && $0.value == $1.value }
  }

  /// Hashes the lines, with case-insensitive names.
  public func hash(into hasher: inout Hasher) {
    for line in lines {
      hasher.combine(line.name.lowercased())
      hasher.combine(line.value)
    }
  }
}

extension HTTP {
  /// Whether a byte is a token character (RFC 9110 §5.6.2).
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension HTTP.Fields {
  /// Whether a comma-separated list field contains a token (RFC 9110 §5.6.1).
  package func hasToken(_ token: String, in name: String, ignoringCase: Bool = true) -> Bool {
    values(of: name).contains { list in
      list.split(separator: ",").contains { element in
        let element = element.trimmingCharacters(in: .whitespaces)
        return ignoringCase ? element.lowercased() == token.lowercased() : element == token
      }
    }
  }
}

extension HTTP {
  /// The trailers of a response (RFC 9110 §6.5), which are known when its body has ended.
  package final class Trailers: Sendable {
    private let state: Guarded<Fields>

    package init(_ fields: Fields = [:]) {
      state = Guarded(fields)
    }

    package var fields: Fields {
      get { state.withLock(\.self) }
      set { state.withLock { $0 = newValue } }
    }
  }
}
