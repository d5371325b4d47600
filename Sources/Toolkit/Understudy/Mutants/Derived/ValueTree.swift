import Foundation

/// A `Codable` value as a tree, so that one part of it can be changed.
///
/// Dates, URLs and other values that a format would write as text or as a number stay as they are, because what may be
/// changed in them differs.
indirect enum ValueTree: Sendable, Hashable {
  /// A text that differs from one of other scalars, even if they are canonically equivalent.
  struct ExactText: Sendable, Hashable {
    let string: String

    init(_ string: String) { self.string = string }

    static func == (one: Self, other: Self) -> Bool { one.string.utf8.elementsEqual(other.string.utf8) }
    func hash(into hasher: inout Hasher) { for byte in string.utf8 { hasher.combine(byte) } }
  }

  /// A value that has no parts.
  enum Leaf: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case text(ExactText)
    case date(Date)
    case data(Data)
    case url(URL)
    case uuid(UUID)
    case decimal(Decimal)

    // Written out because a number that is not one equals itself here: it was not changed.
    static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.boolean(let one), .boolean(let other)): one == other
      case (.integer(let one), .integer(let other)): one == other
      case (.unsigned(let one), .unsigned(let other)): one == other
      case (.double(let one), .double(let other)): one == other || (one.isNaN && other.isNaN)
      case (.text(let one), .text(let other)): one == other
      case (.date(let one), .date(let other)):
        one == other
          || (one.timeIntervalSinceReferenceDate.isNaN && other.timeIntervalSinceReferenceDate.isNaN)
      case (.data(let one), .data(let other)): one == other
      case (.url(let one), .url(let other)): one == other
      case (.uuid(let one), .uuid(let other)): one == other
      case (.decimal(let one), .decimal(let other)): one == other
      default: false
      }
    }

    func hash(into hasher: inout Hasher) {
      switch self {
      case .boolean(let value): hasher.combine(value)
      case .integer(let value): hasher.combine(value)
      case .unsigned(let value): hasher.combine(value)
      case .double(let value): hasher.combine(value.isNaN ? nil : value)
      case .text(let value): hasher.combine(value)
      case .date(let value):
        hasher.combine(value.timeIntervalSinceReferenceDate.isNaN ? nil : value)
      case .data(let value): hasher.combine(value)
      case .url(let value): hasher.combine(value)
      case .uuid(let value): hasher.combine(value)
      case .decimal(let value): hasher.combine(value)
      }
    }
  }

  case null
  case leaf(Leaf)
  case list([ValueTree])
  case members([String: ValueTree])

  /// A place in values of one type: member by member, and in all elements of the lists on the way.
  struct Path: Sendable, Hashable, CustomStringConvertible {
    enum Step: Sendable, Hashable {
      case member(String)
      case elements
    }

    var steps: [Step] = []

    func appending(_ step: Step) -> Path { Path(steps: steps + [step]) }

    /// Such as `[].profile.name`; empty for the value itself.
    var description: String {
      var text = ""
      for step in steps {
        switch step {
        case .elements: text += "[]"
        // The key of a value that a case of an enumeration carries without a label.
        case .member("_0"): break
        case .member(let name): text += text.isEmpty ? name : ".\(name)"
        }
      }
      return text
    }

    /// The description after the name of what has the value.
    var suffix: String {
      let text = description
      return text.isEmpty || text.hasPrefix("[]") ? text : "." + text
    }
  }

  /// The number of places.
  var count: Int {
    switch self {
    case .null, .leaf: 1
    case .list(let elements): elements.reduce(1) { $0 + $1.count }
    case .members(let members): members.values.reduce(1) { $0 + $1.count }
    }
  }

  /// All places of the value, each with the values there, the value itself first.
  var places: [(path: Path, values: [ValueTree])] {
    var places: [(Path, [ValueTree])] = []
    func add(_ values: [ValueTree], at path: Path) {
      places.append((path, values))
      var elements: [ValueTree] = []
      var members: [String: [ValueTree]] = [:]
      for value in values {
        switch value {
        case .null, .leaf: break
        case .list(let list): elements += list
        case .members(let all): for (name, member) in all { members[name, default: []].append(member) }
        }
      }
      if !elements.isEmpty { add(elements, at: path.appending(.elements)) }
      for (name, values) in members.sorted(by: { $0.key < $1.key }) {
        add(values, at: path.appending(.member(name)))
      }
    }
    add([self], at: Path())
    return places
  }

  /// Returns the value with another one at a place; `nil` removes a member there.
  func replacing(_ path: Path, by edit: (ValueTree) -> ValueTree?) -> ValueTree {
    replacing(path.steps[...], by: edit) ?? .null
  }

  private func replacing(
    _ steps: ArraySlice<Path.Step>, by edit: (ValueTree) -> ValueTree?
  ) -> ValueTree? {
    guard let step = steps.first else { return edit(self) }
    switch (step, self) {
    case (.elements, .list(let elements)):
      return .list(elements.compactMap { $0.replacing(steps.dropFirst(), by: edit) })
    case (.member(let name), .members(var members)):
      guard let member = members[name] else { return self }
      members[name] = member.replacing(steps.dropFirst(), by: edit)
      return .members(members)
    default: return self
    }
  }

  /// Returns the value with a member that is absent at a place added, if the place exists but for the member.
  func adding(_ path: Path, _ value: ValueTree) -> ValueTree {
    guard case .member(let name)? = path.steps.last else { return self }
    return replacing(Path(steps: path.steps.dropLast())) { parent in
      guard case .members(var members) = parent else { return parent }
      members[name] = value
      return .members(members)
    }
  }
}

// MARK: - Codable values

extension ValueTree {
  /// The tree of a value.
  ///
  /// - Throws: The error of the value's own encoding.
  init(_ value: some Encodable) throws {
    self = try TreeEncoder.tree(of: value, at: [])
  }

  /// The value of a tree.
  ///
  /// - Throws: `DecodingError` if no value of the type has this tree.
  func value<Value: Decodable>(as type: Value.Type) throws -> Value {
    try TreeDecoder(tree: self, codingPath: []).value(as: type)
  }
}

/// A type whose equal values may encode their elements in different orders.
private protocol Unordered {}

extension Set: Unordered {}

private struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

/// Collects what a value encodes; a class because containers share it.
private final class TreeEncoder: Encoder {
  enum Content {
    case none
    case whole(ValueTree)
    case members([String: TreeEncoder])
    case list([TreeEncoder])
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  var content = Content.none

  init(_ codingPath: [any CodingKey]) { self.codingPath = codingPath }

  static func tree<Value: Encodable>(of value: Value, at path: [any CodingKey]) throws -> ValueTree {
    switch value {
    case let value as Date: return .leaf(.date(value))
    case let value as Data: return .leaf(.data(value))
    case let value as URL: return .leaf(.url(value))
    case let value as UUID: return .leaf(.uuid(value))
    case let value as Decimal: return .leaf(.decimal(value))
    default:
      let encoder = TreeEncoder(path)
      try value.encode(to: encoder)
      guard Value.self is any Unordered.Type, case .list(let elements) = encoder.tree else {
        return encoder.tree
      }
      return .list(elements.sorted { "\($0)" < "\($1)" })
    }
  }

  var tree: ValueTree {
    switch content {
    // A value that encodes nothing, such as one without properties.
    case .none: .members([:])
    case .whole(let tree): tree
    case .members(let members): .members(members.mapValues(\.tree))
    case .list(let elements): .list(elements.map(\.tree))
    }
  }

  func container<Name: CodingKey>(keyedBy type: Name.Type) -> KeyedEncodingContainer<Name> {
    if case .members = content {} else { content = .members([:]) }
    return KeyedEncodingContainer(Members<Name>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = content {} else { content = .list([]) }
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  func child(_ key: some CodingKey) -> TreeEncoder {
    let child = TreeEncoder(codingPath + [key])
    if case .members(var members) = content {
      // Held once only, so that it is not copied for each member.
      content = .none
      members[key.stringValue] = child
      content = .members(members)
    }
    return child
  }

  func nextElement() -> TreeEncoder {
    guard case .list(var elements) = content else { return self }
    let child = TreeEncoder(codingPath + [PlainKey(intValue: elements.count)])
    // Held once only, so that it is not copied for each element.
    content = .none
    elements.append(child)
    content = .list(elements)
    return child
  }

  func put(_ value: some Encodable) throws {
    content = .whole(try Self.tree(of: value, at: codingPath))
  }

  struct Members<Name: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Name) { encoder.child(key).content = .whole(.null) }
    func encode(_ value: some Encodable, forKey key: Name) throws { try encoder.child(key).put(value) }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Name
    ) -> KeyedEncodingContainer<Nested> { encoder.child(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Name) -> any UnkeyedEncodingContainer {
      encoder.child(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder.child(PlainKey(stringValue: "super")) }
    func superEncoder(forKey key: Name) -> any Encoder { encoder.child(key) }
  }

  struct Elements: UnkeyedEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { if case .list(let elements) = encoder.content { elements.count } else { 0 } }

    func encodeNil() { encoder.nextElement().content = .whole(.null) }
    func encode(_ value: some Encodable) throws { try encoder.nextElement().put(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      encoder.nextElement().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextElement().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.nextElement() }
  }

  struct Single: SingleValueEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.content = .whole(.null) }
    func encode(_ value: Bool) { encoder.content = .whole(.leaf(.boolean(value))) }
    func encode(_ value: String) { encoder.content = .whole(.leaf(.text(ValueTree.ExactText(value)))) }
    func encode(_ value: Double) { encoder.content = .whole(.leaf(.double(value))) }
    func encode(_ value: Float) { encoder.content = .whole(.leaf(.double(Double(value)))) }
    func encode(_ value: Int) { put(value) }
    func encode(_ value: Int8) { put(value) }
    func encode(_ value: Int16) { put(value) }
    func encode(_ value: Int32) { put(value) }
    func encode(_ value: Int64) { put(value) }
    func encode(_ value: UInt) { put(value) }
    func encode(_ value: UInt8) { put(value) }
    func encode(_ value: UInt16) { put(value) }
    func encode(_ value: UInt32) { put(value) }
    func encode(_ value: UInt64) { put(value) }
    func encode(_ value: some Encodable) throws { try encoder.put(value) }

    private func put(_ value: some BinaryInteger) {
      encoder.content = .whole(
        .leaf(Int64(exactly: value).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: value))))
    }
  }
}

private struct TreeDecoder: Decoder {
  let tree: ValueTree
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func value<Value: Decodable>(as type: Value.Type) throws -> Value {
    let leaf: Any? =
      switch tree {
      case .leaf(.date(let value)): value
      case .leaf(.data(let value)): value
      case .leaf(.url(let value)): value
      case .leaf(.uuid(let value)): value
      case .leaf(.decimal(let value)): value
      default: nil
      }
    if let leaf, let value = leaf as? Value { return value }
    return try Value(from: self)
  }

  func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type, DecodingError.Context(codingPath: codingPath, debugDescription: "It has another type."))
  }

  func container<Name: CodingKey>(keyedBy type: Name.Type) throws -> KeyedDecodingContainer<Name> {
    guard case .members(let members) = tree else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(Members<Name>(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let elements) = tree else { throw mismatch([Any].self) }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  struct Members<Name: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: ValueTree]
    let codingPath: [any CodingKey]

    var allKeys: [Name] { members.keys.compactMap { Name(stringValue: $0) } }
    func contains(_ key: Name) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Name) throws -> Bool { try decoder(key).tree == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Name) throws -> Value {
      try decoder(key).value(as: type)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Name
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Name) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try decoder(PlainKey(stringValue: "super")) }
    func superDecoder(forKey key: Name) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: some CodingKey) throws -> TreeDecoder {
      guard let tree = members[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, DecodingError.Context(codingPath: codingPath, debugDescription: "It is absent."))
      }
      return TreeDecoder(tree: tree, codingPath: codingPath + [key])
    }
  }

  struct Elements: UnkeyedDecodingContainer {
    let elements: [ValueTree]
    let codingPath: [any CodingKey]
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [ValueTree], codingPath: [any CodingKey]) {
      (self.elements, self.codingPath) = (elements, codingPath)
    }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try decoder().value(as: type)
      currentIndex += 1
      return value
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      let container = try decoder().container(keyedBy: type)
      currentIndex += 1
      return container
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      let container = try decoder().unkeyedContainer()
      currentIndex += 1
      return container
    }
    mutating func superDecoder() throws -> any Decoder {
      let decoder = try decoder()
      currentIndex += 1
      return decoder
    }

    private func decoder() throws -> TreeDecoder {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          Any.self, DecodingError.Context(codingPath: codingPath, debugDescription: "The list has ended."))
      }
      return TreeDecoder(
        tree: elements[currentIndex], codingPath: codingPath + [PlainKey(intValue: currentIndex)])
    }
  }

  struct Single: SingleValueDecodingContainer {
    let decoder: TreeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.tree == .null }
    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .leaf(.boolean(let value)) = decoder.tree else { throw decoder.mismatch(type) }
      return value
    }
    func decode(_ type: String.Type) throws -> String {
      guard case .leaf(.text(let value)) = decoder.tree else { throw decoder.mismatch(type) }
      return value.string
    }
    func decode(_ type: Double.Type) throws -> Double {
      guard case .leaf(.double(let value)) = decoder.tree else { throw decoder.mismatch(type) }
      return value
    }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try number() }
    func decode(_ type: Int8.Type) throws -> Int8 { try number() }
    func decode(_ type: Int16.Type) throws -> Int16 { try number() }
    func decode(_ type: Int32.Type) throws -> Int32 { try number() }
    func decode(_ type: Int64.Type) throws -> Int64 { try number() }
    func decode(_ type: UInt.Type) throws -> UInt { try number() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(as: type) }

    private func number<Value: BinaryInteger>() throws -> Value {
      let value: Value? =
        switch decoder.tree {
        case .leaf(.integer(let value)): Value(exactly: value)
        case .leaf(.unsigned(let value)): Value(exactly: value)
        default: nil
        }
      guard let value else { throw decoder.mismatch(Value.self) }
      return value
    }
  }
}
