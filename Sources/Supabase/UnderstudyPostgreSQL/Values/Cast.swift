/// A conversion between two types (PostgreSQL documentation, CREATE CAST and 10.4).
package struct Cast: Sendable {
  /// When a conversion happens without `CAST`.
  package enum Context: Int, Comparable, Sendable {
    case implicit, assignment, explicit

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package typealias Conversion =
    @Sendable (_ value: Value, _ context: any FunctionContext) throws(PostgreSQLError) -> Value

  package var context: Context
  /// Converts a value that is not null.
  package var convert: Conversion

  /// The conversion from one type to another.
  ///
  /// The caller replaces domains by their types.
  package static func find(from source: DataType, to target: DataType) -> Cast? {
    if source == target { return Cast(context: .implicit) { value, _ throws(PostgreSQLError) in value } }
    if source == .unknown { return throughText(source, target, .implicit) }
    if let known = table[Pair(source, target)] { return known }
    switch (source, target) {
    case (.array(let from), .array(let to)):
      // Element by element, in the context of the elements' cast.
      guard let cast = find(from: from, to: to) else { return nil }
      return Cast(context: cast.context) { value, context throws(PostgreSQLError) in
        guard case .array(var array) = value else { return value }
        for index in array.elements.indices where !array.elements[index].isNull {
          array.elements[index] = try cast.convert(array.elements[index], context)
        }
        return .array(array)
      }
    case (.composite, .record): return Cast(context: .implicit) { value, _ throws(PostgreSQLError) in value }
    case (.void, _), (_, .void), (.trigger, _), (_, .trigger): return nil
    default: break
    }
    if target.isPolymorphic || source.isPolymorphic { return nil }
    // Every type is written as text in an assignment, and read from text by an explicit cast.
    if target.category == .string { return throughText(source, target, .assignment) }
    if source.category == .string, target != .record { return throughText(source, target, .explicit) }
    return nil
  }

  private static func throughText(_ source: DataType, _ target: DataType, _ context: Context) -> Cast {
    Cast(context: context) { value, session throws(PostgreSQLError) in
      try target.value(from: try source.text(of: value, context: session), context: session)
    }
  }

  private struct Pair: Hashable {
    var source: DataType
    var target: DataType

    init(_ source: DataType, _ target: DataType) {
      self.source = source
      self.target = target
    }
  }

  private static let table: [Pair: Cast] = {
    var table: [Pair: Cast] = [:]
    for entry in numbers + texts + times + documents + vectors {
      table[Pair(entry.source, entry.target)] = Cast(context: entry.context, convert: entry.conversion)
    }
    return table
  }()

  struct Entry: Sendable {
    var source: DataType
    var target: DataType
    var context: Context
    var conversion: Conversion

    init(_ source: DataType, _ target: DataType, _ context: Context, _ conversion: @escaping Conversion) {
      self.source = source
      self.target = target
      self.context = context
      self.conversion = conversion
    }
  }

  static let unchanged: Conversion = { value, _ throws(PostgreSQLError) in value }
}

// MARK: Texts

extension Cast {
  private static let trimmed: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .text(let text) = value else { return value }
    return .text(text.withoutTrailingSpaces)
  }

  private static let identifier: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .text(let text) = value else { return value }
    return .text(TextInput.name(text))
  }

  private static let truth: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .boolean(let flag) = value else { return value }
    return .text(flag ? "true" : "false")
  }

  /// An address is written with the length of its network.
  private static let address: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .text(let text) = value, !text.contains("/") else { return value }
    return .text(text + (text.contains(":") ? "/128" : "/32"))
  }

  fileprivate static let texts: [Entry] =
    [
      Entry(.text, .varchar, .implicit, unchanged), Entry(.text, .bpchar, .implicit, unchanged),
      Entry(.text, .name, .implicit, identifier), Entry(.text, .regclass, .implicit, unchanged),
      Entry(.text, .citext, .assignment, unchanged),
      Entry(.varchar, .text, .implicit, unchanged), Entry(.varchar, .bpchar, .implicit, unchanged),
      Entry(.varchar, .name, .implicit, identifier), Entry(.varchar, .regclass, .implicit, unchanged),
      Entry(.varchar, .citext, .assignment, unchanged),
      Entry(.bpchar, .text, .implicit, trimmed), Entry(.bpchar, .varchar, .implicit, trimmed),
      Entry(.bpchar, .citext, .assignment, trimmed),
      Entry(
        .bpchar, .name, .implicit,
        { value, context throws(PostgreSQLError) in try identifier(try trimmed(value, context), context) }
      ),
      Entry(.name, .text, .implicit, unchanged), Entry(.name, .varchar, .assignment, unchanged),
      Entry(.name, .bpchar, .assignment, unchanged),
      Entry(.citext, .text, .implicit, unchanged), Entry(.citext, .varchar, .implicit, unchanged),
      Entry(.citext, .bpchar, .assignment, unchanged),
    ]
    + [DataType.text, .varchar, .bpchar, .citext].flatMap {
      [Entry(.boolean, $0, .assignment, truth), Entry(.inet, $0, .assignment, address)] as [Entry]
    }
    + [DataType.regclass, .regtype, .regproc, .regrole].flatMap {
      [Entry($0, .oid, .implicit, unchanged), Entry(.oid, $0, .implicit, unchanged)] as [Entry]
    }
}

// MARK: JSON

extension Cast {
  fileprivate static let documents: [Entry] =
    [
      Entry(
        .json, .jsonb, .assignment,
        { value, _ throws(PostgreSQLError) in
          guard case .json(let text) = value else { return value }
          return .jsonb(try JSONB(parsing: text))
        }
      ),
      Entry(
        .jsonb, .json, .assignment,
        { value, _ throws(PostgreSQLError) in
          guard case .jsonb(let json) = value else { return value }
          return .json(json.text)
        }
      ),
      Entry(
        .jsonb, .boolean, .explicit,
        { value, _ throws(PostgreSQLError) in
          guard case .jsonb(let json) = value else { return value }
          guard case .boolean(let flag) = json else { throw mismatch(json, .boolean) }
          return .boolean(flag)
        }
      ),
    ]
    + [DataType.smallint, .integer, .bigint, .real, .double, .numeric].map { (type) -> Entry in
      Entry(
        .jsonb, type, .explicit,
        { value, context throws(PostgreSQLError) in
          guard case .jsonb(let json) = value else { return value }
          guard case .number(let number) = json else { throw mismatch(json, type) }
          let cast = find(from: .numeric, to: type)
          return try cast?.convert(.numeric(number), context) ?? .numeric(number)
        }
      )
    }

  private static func mismatch(_ json: JSONB, _ type: DataType) -> PostgreSQLError {
    let kind =
      switch json {
      case .null: "null"
      case .boolean: "boolean"
      case .number: "numeric"
      case .string: "string"
      case .array: "array"
      case .object: "object"
      }
    return PostgreSQLError("22023", "cannot cast jsonb \(kind) to type \(type.displayName)")
  }
}
