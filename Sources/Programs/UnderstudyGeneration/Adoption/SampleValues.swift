import UnderstudyText

/// Values for arguments and results, as source: the shortest that the compiler accepts.
struct SampleValues {
  let index: SymbolIndex
  /// The lowest access level that the source can use.
  let access: AccessLevel

  /// Returns an expression of a type; `nil` if none is known.
  ///
  /// - Parameters:
  ///   - type: The type as the compiler writes it.
  ///   - name: The name of the parameter, which becomes the text of a string.
  func expression(of type: String, named name: String = "") -> String? {
    expression(of: type, named: name, depth: 0)
  }

  private func expression(of written: String, named name: String, depth: Int) -> String? {
    let type = written.trimmed
    guard !type.isEmpty, depth < 4 else { return nil }
    if type.hasSuffix("?") || type.hasPrefix("Optional<") { return "nil" }
    if type.contains("->") { return nil }
    if type.hasPrefix("["), type.hasSuffix("]") {
      return DeclarationScanner.split(type.dropFirst().dropLast(), at: ":").count > 1 ? "[:]" : "[]"
    }
    if type.hasPrefix("("), type.hasSuffix(")") { return tuple(type.dropFirst().dropLast(), depth) }
    if type.hasPrefix("Set<") || type.hasPrefix("Array<") { return "[]" }
    if type.hasPrefix("Dictionary<") { return "[:]" }
    if type == "String" { return name.debugDescription }
    if let known = Self.known[type] { return known }
    return declared(type, named: name, depth)
  }

  /// Values of types of the standard library and of Foundation.
  private static let known: [String: String] = {
    var known = [
      "Bool": "false", "Substring": "\"\"", "Character": "\"a\"", "Double": "1", "Float": "1", "CGFloat": "1",
      "Decimal": "1", "TimeInterval": "1", "Duration": ".seconds(1)", "UUID": "UUID()", "Data": "Data()",
      "Date": "Date(timeIntervalSince1970: 0)", "URL": "URL(filePath: \"/\")",
      "Locale": "Locale(identifier: \"en\")",
      "TimeZone": "TimeZone.gmt", "DateComponents": "DateComponents()", "IndexSet": "IndexSet()",
      "URLRequest": "URLRequest(url: URL(filePath: \"/\"))", "URLComponents": "URLComponents()",
      "URLSession": "URLSession.shared", "UserDefaults": "UserDefaults.standard", "Bundle": "Bundle.main",
      "FileManager": "FileManager.default", "NotificationCenter": "NotificationCenter.default",
      "JSONDecoder": "JSONDecoder()", "JSONEncoder": "JSONEncoder()", "Range<Int>": "0..<1",
      "ClosedRange<Int>": "0...1",
      "Range<Date>": "Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 1)",
      "DateInterval": "DateInterval(start: Date(timeIntervalSince1970: 0), duration: 1)",
      "Calendar": "Calendar(identifier: .gregorian)", "any Error": "CancellationError()",
    ]
    for size in ["", "8", "16", "32", "64"] {
      known["Int\(size)"] = "1"
      known["UInt\(size)"] = "1"
    }
    return known
  }()

  private func tuple(_ inside: Substring, _ depth: Int) -> String? {
    var values: [String] = []
    for part in DeclarationScanner.split(inside, at: ",") {
      let halves = DeclarationScanner.split(part[...], at: ":", most: 2)
      guard let type = halves.last,
        let value = expression(of: type, named: halves.count > 1 ? halves[0] : "", depth: depth + 1)
      else { return nil }
      values.append(halves.count > 1 ? "\(halves[0]): \(value)" : value)
    }
    return "(\(values.joined(separator: ", ")))"
  }

  // MARK: - Types of the package

  private func declared(_ type: String, named name: String, _ depth: Int) -> String? {
    let bare = String(type.prefix { $0 != "<" })
    if let aliased = aliased(bare) { return expression(of: aliased, named: name, depth: depth + 1) }
    guard let symbol = only(bare) else { return nil }
    let name = index.qualifiedName(of: symbol)
    let type = name.hasSuffix(".\(bare)") ? name + type.dropFirst(bare.count) : type
    switch symbol.kind.identifier {
    case "swift.enum": return enumeration(symbol, type, depth)
    case "swift.struct", "swift.class", "swift.actor": return instance(symbol, type, depth)
    default: return nil
    }
  }

  /// Returns the type behind an alias; that of `Owner.ID` may be known from the property `id` alone.
  private func aliased(_ name: String) -> String? {
    if let alias = index.type(behindAlias: name) { return alias }
    let parts = name.split(separator: ".")
    guard parts.count > 1, let last = parts.last, index.types(named: name).isEmpty,
      let owner = only(parts.dropLast().joined(separator: "."))
    else { return nil }
    guard last == "ID" else { return nil }
    let id = (index.members[owner.identifier.precise] ?? []).first {
      $0.pathComponents.last == "id" && $0.kind.identifier == "swift.property"
    }
    return id.flatMap { DeclarationScanner.split($0.source[...], at: ":", most: 2).last }
      .flatMap { DeclarationScanner.split($0[...], at: "{", most: 2).first }
  }

  private func only(_ name: String) -> Symbol? {
    let types = index.types(named: name)
    return types.count == 1 && isUsable(types[0]) ? types[0] : nil
  }

  private func isUsable(_ symbol: Symbol) -> Bool {
    (AccessLevel(rawValue: symbol.accessLevel) ?? .public) >= access && symbol.availability?.isEmpty != false
  }

  private func enumeration(_ symbol: Symbol, _ type: String, _ depth: Int) -> String? {
    let cases = EnumerationCase.cases(of: symbol, in: index)
    for one in cases.sorted(by: { $0.payload.count < $1.payload.count }) {
      if let values = arguments(one.payload, depth) { return "\(type).\(one.name)\(values)" }
    }
    return nil
  }

  private func instance(_ symbol: Symbol, _ type: String, _ depth: Int) -> String? {
    let initializers = initializers(of: symbol) { !$0.source.contains("@") }
      .map { $0.filter { !$0.type.contains(" = ") } }
    for parameters in initializers.sorted(by: { $0.count < $1.count }) {
      let values = arguments(parameters.map { ($0.label, $0.name, $0.type) }, depth)
      if let values { return type + (values.isEmpty ? "()" : values) }
    }
    return nil
  }

  /// Returns the parameters of the initializers that the source can call.
  private func initializers(of symbol: Symbol, where isIncluded: (Symbol) -> Bool) -> [[Parameter]] {
    (index.members[symbol.identifier.precise] ?? []).filter { member in
      member.kind.identifier == "swift.init" && isUsable(member) && isIncluded(member)
        && member.pathComponents.last != "init(from:)" && !member.source.contains("init?")
    }.compactMap { DeclarationScanner.scan($0.declarationFragments) }
      .filter { $0.effects == Declaration.Effects() && !$0.isGeneric }
      .map(\.parameters)
  }

  /// Returns the arguments of an initializer that takes all closures of a structure; `nil` without one.
  ///
  /// An argument is a closure, or the value of another parameter.
  func arguments(of service: ServiceProtocol) -> [(label: String?, closure: Requirement?, value: String)]? {
    guard let symbol = index.types(named: "\(service.module).\(service.name)").first ?? only(service.name)
    else { return nil }
    func closure(of parameter: Parameter) -> Requirement? {
      service.requirements.first { $0.title == parameter.name }
    }
    for all in initializers(of: symbol, where: { _ in true }) {
      let parameters = all.filter { closure(of: $0) != nil || !$0.type.contains(" = ") }
      var arguments: [(label: String?, closure: Requirement?, value: String)] = []
      for parameter in parameters {
        let closure = closure(of: parameter)
        let value = closure == nil ? expression(of: parameter.type, named: parameter.name) : ""
        if let value { arguments.append((parameter.label, closure, value)) }
      }
      let closures = arguments.compactMap(\.closure)
      if arguments.count == parameters.count, closures.count == service.requirements.count {
        return arguments
      }
    }
    return nil
  }

  /// Returns arguments in brackets; nothing without parameters.
  private func arguments(
    _ parameters: [(label: String?, name: String, type: String)], _ depth: Int
  ) -> String? {
    var values: [String] = []
    for parameter in parameters {
      guard let value = expression(of: parameter.type, named: parameter.name, depth: depth + 1) else {
        return nil
      }
      values.append(parameter.label.map { "\($0): \(value)" } ?? value)
    }
    return values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
  }
}

/// A case of an enumeration.
struct EnumerationCase {
  let name: String
  let payload: [(label: String?, name: String, type: String)]

  /// The available cases of an enumeration, in source order.
  static func cases(of symbol: Symbol, in index: SymbolIndex) -> [EnumerationCase] {
    (index.members[symbol.identifier.precise] ?? [])
      .filter { $0.kind.identifier == "swift.enum.case" && $0.availability?.isEmpty != false }
      .map { member in
        let source = index.replacingAliases(in: member.declarationFragments).map(\.spelling).joined()
        let name = member.pathComponents.last?.prefix { $0 != "(" } ?? ""
        let payload = source.firstIndex(of: "(").map { source[source.index(after: $0)...].dropLast() } ?? ""
        return EnumerationCase(
          name: SourceWords.escaped(String(name)),
          payload: DeclarationScanner.split(payload, at: ",").map { part in
            let halves = DeclarationScanner.split(
              DeclarationScanner.split(part[...], at: " = ", most: 2)[0][...], at: ":", most: 2)
            let label = halves.count > 1 && halves[0] != "_" ? halves[0] : nil
            return (label, label ?? "", halves.last ?? "")
          })
      }
  }
}
