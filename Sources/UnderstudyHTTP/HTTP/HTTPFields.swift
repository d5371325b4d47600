extension HTTP {
  /// The header fields of a message, in order, with names compared without case (RFC 9110 §5.1).
  public struct Fields: Sendable {
    /// One field line.
    public struct Field: Sendable, Hashable {
      /// The name as it was written.
      public let name: String
      /// The value, without the white space around it.
      public let value: String

      /// A field line.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    private var lines: [Field]

    /// Fields in this order.
    public init(_ fields: [Field] = []) {
      lines = fields
    }

    /// The values of every line with this name, in order; `Set-Cookie` is why there can be several.
    public func values(of name: String) -> [String] {
      lines.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// The value of the lines with this name, joined with a comma where there are several (RFC 9110 §5.3).
    ///
    /// Setting replaces every line of that name by one, at the place of the first; `nil` removes them.
    public subscript(name: String) -> String? {
      get {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      set {
        let place = lines.firstIndex { Self.same($0.name, name) }
        lines.removeAll { Self.same($0.name, name) }
        if let newValue {
          lines.insert(Field(name: name, value: newValue), at: place ?? lines.endIndex)
        }
      }
    }

    /// Adds a line and keeps those that are there.
    public mutating func append(name: String, value: String) {
      lines.append(Field(name: name, value: value))
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
  /// The position behind the last line.
  public var endIndex: Int { lines.endIndex }
  /// The line at a position.
  public subscript(position: Int) -> Field { lines[position] }
}

extension HTTP.Fields: ExpressibleByDictionaryLiteral {
  /// Fields in the order of the literal; a name may come several times.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HTTP.Fields: Hashable {
  /// Equal when the same lines stand in the same order, whatever the case of their names.
  public static func == (one: HTTP.Fields, other: HTTP.Fields) -> Bool {
    one.lines.count == other.lines.count
      && zip(one.lines, other.lines).allSatisfy { same($0.name, $1.name) && $0.value == $1.value }
  }

  /// Hashes the lines, their names without case.
  public func hash(into hasher: inout Hasher) {
    for line in lines {
      hasher.combine(line.name.lowercased())
      hasher.combine(line.value)
    }
  }
}
