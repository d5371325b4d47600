/// A file of doubles: the command that writes it, and what it writes.
struct GeneratedFile {
  private static let mark = "// Written by: understudy generate "

  let options: GenerationOptions
  let index: SymbolIndex

  /// The options of the command that wrote a file, by its first line.
  ///
  /// - Parameter path: Where the file is, for the error.
  static func options(in text: String, at path: String) throws(GenerationError) -> GenerationOptions {
    let line = text.prefix { !$0.isNewline }
    guard line.hasPrefix(mark) else {
      throw GenerationError(
        "\(path) was not written by this command: its first line does not begin with \"\(mark)\".")
    }
    guard let words = ShellWords.split(line.dropFirst(mark.count)) else {
      throw GenerationError("The command in the first line of \(path) has a quotation mark without its pair.")
    }
    return try GenerationOptions(words, of: "the first line of \(path)")
  }

  /// The whole file.
  func text() throws(GenerationError) -> String {
    let reader = ProtocolReader(index: index, omitted: Set(options.omitted))
    var services: [ServiceProtocol] = []
    for name in options.protocols { services.append(try reader.read(name, in: options.module)) }
    let lineage = services.flatMap(\.lineage).reduce(into: [ServiceProtocol]()) { known, service in
      if !known.contains(where: { $0.name == service.name && $0.module == service.module }) {
        known.append(service)
      }
    }
    try refuse(lineage, services)
    var source = SourceText()
    header(lineage, to: &source)
    imports(lineage, to: &source)
    if options.kinds.contains(.intercepted) {
      for service in lineage {
        source.line()
        ConformanceWriter(service: service, failure: failure, omitted: omitted).write(to: &source)
      }
    }
    if options.kinds.contains(.unimplemented) {
      for service in services {
        source.line()
        UnimplementedWriter(service: service, failure: failure, omitted: omitted).write(to: &source)
      }
    }
    return source.text
  }

  private var failure: FailureMapping { FailureMapping(expression: options.failure) }
  private var omitted: Set<String> { Set(options.omitted) }

  /// Throws if there is anything for which no double can be written, and nobody said that they write it by hand.
  private func refuse(_ lineage: [ServiceProtocol], _ services: [ServiceProtocol]) throws(GenerationError) {
    var reasons: [String] = []
    func refuse(_ title: String, _ place: String?, _ reason: String) {
      reasons.append("\(place.map { "\($0): " } ?? "")\(title) cannot have a double: \(reason).")
    }
    for service in lineage {
      if let obstacle = service.obstacle {
        refuse(service.name, service.place, obstacle)
        continue
      }
      for requirement in service.requirements where !omitted.contains(where: requirement.isNamed) {
        let title = "\(service.name).\(requirement.title)"
        let byHand = "; write it by hand and give --omit \"\(requirement.title)\""
        if let obstacle = requirement.obstacle {
          refuse(title, requirement.place, obstacle + byHand)
        } else if requirement.throwsUnknownType, failure.expression == nil,
          options.kinds.contains(.intercepted)
        {
          refuse(
            title, requirement.place,
            "it throws an associated type; say with --failure what makes one of a fault, or" + byHand.dropFirst())
        }
      }
    }
    if options.kinds.contains(.unimplemented) {
      for service in services where service.obstacle == nil {
        reasons += UnimplementedWriter(service: service, failure: failure, omitted: omitted).obstacles.map {
          "\($0), so there is no unimplemented double; give --write intercepted."
        }
      }
    }
    if !reasons.isEmpty { throw GenerationError(reasons) }
    for name in options.omitted {
      let isKnown = lineage.contains { service in service.requirements.contains { $0.isNamed(name) } }
      let isParent = lineage.contains { $0.refinedNames.contains(name) }
      guard isKnown || isParent else {
        throw GenerationError("--omit \(name) names no requirement of \(options.protocols.joined(separator: " or ")).")
      }
    }
  }

  private func header(_ lineage: [ServiceProtocol], to source: inout SourceText) {
    source.line(Self.mark + ShellWords.join(options.words))
    source.line("// Change the command, not what follows; what must be written by hand is named with --omit.")
    source.line("// swift-format-ignore-file")
    source.line("// swiftlint:disable all")
  }

  private func imports(_ lineage: [ServiceProtocol], to source: inout SourceText) {
    let access = lineage.map(\.access).max() ?? .internal
    var modules = lineage.reduce(into: Set<String>()) { modules, service in
      for requirement in service.requirements { modules.formUnion(requirement.modules) }
      modules.insert(service.module)
    }
    modules.formUnion(["UnderstudyDoubles"] + options.imports)
    let hidden = Set(lineage.filter { $0.access == .internal }.map(\.module))
    source.line()
    for module in modules.sorted() where module != options.into && module != "FoundationNetworking" {
      source.line("\(hidden.contains(module) ? "@testable " : access.modifier)import \(module)")
    }
    guard modules.contains("FoundationNetworking") else { return }
    source.line()
    source.line("#if canImport(FoundationNetworking)")
    source.nested { $0.line("\(access.modifier)import FoundationNetworking") }
    source.line("#endif")
  }
}
