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
    let options = try GenerationOptions(words, of: "the first line of \(path)")
    // Without one there is nothing to write, and a file of nothing is as it should be.
    guard !options.protocols.isEmpty else {
      throw GenerationError(
        "The command in the first line of \(path) names no protocol: give it --protocol again, or write the file anew."
      )
    }
    return options
  }

  /// The whole file.
  func text() throws(GenerationError) -> String {
    let reader = ProtocolReader(index: index, omitted: Set(options.omitted))
    let services = try options.protocols.map { name throws(GenerationError) in
      try reader.read(name, in: options.module)
    }
    let lineage = services.flatMap(\.lineage).reduce(into: [ServiceProtocol]()) { known, service in
      if !known.contains(where: service.isSame) {
        known.append(service)
      }
    }
    let reasons = Refusals(services: services, lineage: lineage, options: options).reasons
    if !reasons.isEmpty { throw GenerationError(reasons) }
    var source = SourceText()
    header(to: &source)
    imports(services, lineage, to: &source)
    if options.kinds.contains(.intercepted) {
      for service in lineage where !options.omitted.contains(service.name) {
        source.line()
        ConformanceWriter(
          service: service, failure: failure, omitted: omitted,
          isRetroactive: options.retroactive.contains(service.name)
        ).write(to: &source)
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

  private func header(to source: inout SourceText) {
    source.line(Self.mark + ShellWords.join(options.words))
    source.line("// Change the command, not what follows; what must be written by hand is named with --omit.")
    source.line("// swift-format-ignore-file")
    source.line("// swiftlint:disable all")
  }

  private func imports(
    _ services: [ServiceProtocol], _ lineage: [ServiceProtocol], to source: inout SourceText
  ) {
    let access = lineage.map(\.access).max() ?? .internal
    let writesConformances = options.kinds.contains(.intercepted)
    let conforming = writesConformances ? lineage.filter { !omitted.contains($0.name) } : []
    var modules = Set((services + conforming).map(\.module) + options.imports + ["Understudy"])
    for requirement in conforming.flatMap(\.requirements)
    where !omitted.contains(where: requirement.isNamed) {
      modules.formUnion(requirement.modules)
    }
    if options.kinds.contains(.unimplemented) {
      modules.formUnion(lineage.flatMap(\.requirements).flatMap(\.modules))
    }
    let hidden = Set(lineage.filter { $0.access == .internal }.map(\.module))
    source.line()
    for module in modules.sorted() where module != "FoundationNetworking" {
      // Who sees a double sees what it needs; an unimplemented one needs the toolkit only inside.
      let isSeen = writesConformances || module != "Understudy"
      source.line(
        "\(hidden.contains(module) ? "@testable " : isSeen ? access.modifier : "")import \(module)")
    }
    guard modules.contains("FoundationNetworking") else { return }
    source.line()
    source.line("#if canImport(FoundationNetworking)")
    source.nested { $0.line("\(access.modifier)import FoundationNetworking") }
    source.line("#endif")
  }
}
