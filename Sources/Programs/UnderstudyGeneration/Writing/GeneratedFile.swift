import UnderstudyConsole
import UnderstudyText

/// A file of doubles: the command that writes it, and its text.
struct GeneratedFile {
  private static let mark = "// Written by: understudy generate "

  let options: GenerationOptions
  /// The protocols in the options.
  private let services: [ServiceProtocol]
  /// These protocols, and those that they refine.
  private let lineage: [ServiceProtocol]

  /// Reads the protocols of a file.
  init(options: GenerationOptions, index: SymbolIndex) throws(CommandError) {
    let reader = ProtocolReader(index: index, omitted: Set(options.omitted))
    self.options = options
    services = try options.protocols.map { name throws(CommandError) in
      try reader.read(name, in: options.module)
    }
    lineage = services.flatMap(\.lineage).reduce(into: []) { known, service in
      if !known.contains(where: service.isSame) { known.append(service) }
    }
    try options.demandKnownNames(in: services)
  }

  /// Parses the options of the command that wrote a file, from its first line.
  ///
  /// - Parameter path: The path of the file, for the error.
  static func options(in text: String, at path: String) throws(CommandError) -> GenerationOptions {
    let line = text.prefix { !$0.isNewline }
    guard line.hasPrefix(mark) else {
      throw CommandError("\(path) is not a generated file: its first line does not start with \"\(mark)\".")
    }
    guard let words = Words.shellWords(in: line.dropFirst(mark.count)) else {
      throw CommandError("The first line of \(path) is invalid: a quotation mark is not closed.")
    }
    let options: GenerationOptions
    do {
      options = try GenerationOptions(words, of: "understudy generate")
    } catch {
      throw CommandError("The first line of \(path) is invalid: \(error)")
    }
    // Without a protocol the file would be empty, and --check would accept it.
    guard !options.protocols.isEmpty else {
      throw CommandError("The first line of \(path) is invalid: --protocol is missing.")
    }
    return options
  }

  /// The names of protocols that are not `Sendable`, and whose doubles are therefore restricted.
  var notSendable: [String] { services.filter { !$0.isSendable }.map(\.name) }

  /// The reasons why the file cannot be written, with a line for each requirement without a double.
  var refusals: [String] {
    lineage.flatMap(refusals) + services.filter { $0.obstacle == nil }.flatMap(refusalsOfUnimplemented)
      + refusalWithoutFailure
  }

  /// Why the errors of the doubles are unknown: a double throws the errors of the app, and never a `Fault`.
  private var refusalWithoutFailure: [String] {
    for service in lineage where !omitted.contains(service.name) {
      for requirement in service.requirements
      where requirement.obstacle == nil && requirement.isOfInstances
        && failure.isMissing(for: requirement.declaration)
        && !omitted.contains(where: requirement.isNamed)
      {
        let title = "\(service.name).\(requirement.title)"
        return [
          "\(requirement.place.map { "\($0): " } ?? "")\(title) can throw any error, and a double throws only errors of "
            + "the app. Pass --failure with a function from Fault to such an error, for example: --failure AppError.init"
        ]
      }
    }
    return []
  }

  private func refusals(_ service: ServiceProtocol) -> [String] {
    if let obstacle = service.obstacle { return [refusal(service.name, service.place, obstacle)] }
    if options.isAdopted, service.isActor {
      return [
        refusal(
          service.name, service.place,
          "it refines Actor. Run generate, which writes an actor with interceptors")
      ]
    }
    return service.requirements.compactMap { requirement in
      guard let obstacle = requirement.obstacle, !omitted.contains(where: requirement.isNamed) else {
        return nil
      }
      return refusal(
        "\(service.name).\(requirement.title)", requirement.place,
        "\(obstacle). Write it by hand, and \(options.isAdopted ? "run generate with" : "pass") --omit "
          + Words.shell(requirement.title))
    }
  }

  private func refusal(_ title: String, _ place: String?, _ reason: String) -> String {
    "\(place.map { "\($0): " } ?? "")\(title) cannot have a double: \(reason)."
  }

  private func refusalsOfUnimplemented(_ service: ServiceProtocol) -> [String] {
    // By default, what can be written is written, and the file says what is missing.
    guard options.kinds == [.unimplemented], !service.isStructure else { return [] }
    return unimplemented(service).obstacles.map {
      "\($0). Pass --write intercepted."
    }
  }

  /// The whole file, if there are no `refusals`.
  var text: String {
    var source = SourceText()
    header(to: &source)
    imports(to: &source)
    if options.kinds.contains(.intercepted) {
      for service in lineage where !options.omitted.contains(service.name) {
        source.line()
        conformance(of: service).write(to: &source)
      }
      for writer in tables {
        source.line()
        writer.write(to: &source)
      }
    }
    if options.kinds.contains(.unimplemented) {
      for service in services where !service.isStructure {
        source.line()
        let writer = unimplemented(service)
        guard writer.obstacles.isEmpty else {
          for obstacle in writer.obstacles { source.comment("\(obstacle).") }
          continue
        }
        writer.write(to: &source)
        guard options.kinds.contains(.intercepted), !omitted.contains(service.name), !writer.isGeneric,
          writer.isSendable
        else { continue }
        source.line()
        conformance(of: service).writeAdvice(naming: writer.name, to: &source)
      }
    }
    return source.text
  }

  /// The tables of operations, which require the conformances.
  private var tables: [OperationsWriter] {
    services.filter { service in
      !omitted.contains(service.name) && service.lineage.contains { !$0.requirements.isEmpty }
    }
    .map { OperationsWriter(service: $0, isolation: isolation) }
  }

  private func conformance(of service: ServiceProtocol) -> ConformanceWriter {
    ConformanceWriter(
      service: service, failure: failure, omitted: omitted,
      isRetroactive: options.retroactive.contains(service.name), isolation: isolation)
  }

  private func unimplemented(_ service: ServiceProtocol) -> UnimplementedWriter {
    UnimplementedWriter(
      service: service, failure: failure, omitted: omitted, isIsolatedByDefault: options.isNonisolated)
  }

  /// The modifier of declarations that would be isolated by default.
  private var isolation: String { options.isNonisolated ? "nonisolated " : "" }

  private var failure: FailureMapping { FailureMapping(expression: options.failure, of: lineage) }
  private var omitted: Set<String> { Set(options.omitted) }

  private func header(to source: inout SourceText) {
    source.line(Self.mark + options.words.map(Words.shell).joined(separator: " "))
    source.line(
      "// Do not edit this file: change the command. Name requirements that you write by hand with --omit.")
    source.line("// swift-format-ignore-file")
    source.line("// swiftlint:disable all")
  }

  private func imports(to source: inout SourceText) {
    let access = lineage.map(\.memberAccess).max() ?? .public
    let writesConformances = options.kinds.contains(.intercepted)
    let conforming = writesConformances ? lineage.filter { !omitted.contains($0.name) } : []
    var modules = Set((services + conforming).map(\.module) + ["Understudy"])
    var inside: Set<String> = []
    for service in conforming {
      for requirement in service.requirements where !omitted.contains(where: requirement.isNamed) {
        // The closures of a structure are set in its initializer.
        if service.isStructure {
          inside.formUnion(requirement.modules)
        } else {
          modules.formUnion(requirement.modules)
        }
      }
    }
    if options.kinds.contains(.unimplemented) {
      modules.formUnion(lineage.filter { !$0.isStructure }.flatMap(\.requirements).flatMap(\.modules))
    }
    // Of the function from a fault to an error.
    let onlyInside = inside.union(options.imports).subtracting(modules)
    modules.formUnion(onlyInside)
    // Only the calls of a table refer to these.
    let called = writesConformances ? Set(tables.flatMap(\.modules)).subtracting(modules) : []
    let hidden = Set(lineage.filter { $0.access == .internal }.map(\.module))
    source.line()
    for module in modules.union(called).sorted() where module != "FoundationNetworking" {
      // A double exports the modules of its declaration; an unimplemented one uses the toolkit only inside.
      let isSeen =
        (writesConformances || module != "Understudy") && !called.contains(module)
        && !onlyInside.contains(module)
      source.line(
        "\(hidden.contains(module) ? "@testable " : "")\(isSeen ? access.modifier : "")import \(module)")
    }
    guard modules.contains("FoundationNetworking") else { return }
    source.line()
    source.line("#if canImport(FoundationNetworking)")
    source.nested { $0.line("\(access.modifier)import FoundationNetworking") }
    source.line("#endif")
  }
}
