import Foundation
import UnderstudyConsole

/// The files that an adopter of a protocol needs.
struct Adoption {
  private let service: ServiceProtocol
  private let index: SymbolIndex
  private let names: AdoptedNames
  private let places: Places
  private let errors: AdoptedErrors

  /// The folders of the files.
  struct Places {
    /// The folder of the test target.
    let tests: String
    /// The folder of the target with the doubles, which may be the same.
    let doubles: String
    /// The module of the doubles; `nil` if they are in the test target.
    let doublesModule: String?
    /// The folders whose targets are isolated to the main actor by default.
    var isolated: Set<String> = []
  }

  init(
    of service: ServiceProtocol, index: SymbolIndex, in places: Places, options: AdoptionOptions
  ) throws(CommandError) {
    self.service = service
    self.index = index
    self.places = places
    names = AdoptedNames(service)
    // The doubles cannot use a mapping of the tests.
    errors = try AdoptedErrors(of: service, index: index, in: [places.doubles], options: options)
  }

  /// The name of the suite in the test file.
  ///
  /// Not `LibraryServiceTests`, which an app has already for its live service.
  var suite: String { "\(names.type)ContractTests" }

  /// The reasons why the protocol cannot be adopted, a line for each.
  var refusals: [String] {
    if let type = service.lineage.flatMap(\.associatedTypes).first {
      return [
        "\(place)\(service.name) has an associated type, \(type.name). adopt writes a contract for one type: write it by "
          + "hand, and the doubles with generate."
      ]
    }
    if let parent = service.equality {
      return [
        "\(place)\(service.name) refines \(parent), and only its author knows when two doubles are equal. Write the double in "
          + "memory and the contract by hand, and the conformance of Intercepted with generate."
      ]
    }
    if service.isStructure, service.isolation != nil {
      return [
        "\(place)\(service.name) is isolated to an actor. Write its contract by hand, and its double with generate."
      ]
    }
    if service.isStructure, samples(in: access).arguments(of: service) == nil {
      return [
        "\(place)\(service.name) has no initializer that takes each of its closures, or none that its doubles can call. "
          + "Declare one that is \(service.access.rawValue)."
      ]
    }
    return []
  }

  private var place: String { service.place.map { "\($0): " } ?? "" }

  /// The files, the doubles first.
  func files() throws(CommandError) -> (files: [AdoptedFile], refusals: [String]) {
    let generated = try generatedFile()
    guard generated.refusals.isEmpty else { return ([], generated.refusals) }
    var files = [
      AdoptedFile(
        path: generated.options.output ?? "", text: generated.text,
        purpose: "\(service.name) behind faults, logs and gates; do not edit")
    ]
    files += errors.written.map(mappingFile)
    if errors.writesFunction { files.append(functionFile) }
    files.append(inMemoryFile)
    files.append(contractFile)
    files.append(testFile)
    return (files, [])
  }

  // MARK: - Files

  private func generatedFile() throws(CommandError) -> GeneratedFile {
    var options = GenerationOptions()
    options.protocols = [service.name]
    options.module = service.module
    options.failure = errors.expression
    options.imports = errors.module.flatMap { services.contains($0.module) ? nil : [$0.module] } ?? []
    options.isAdopted = true
    options.isNonisolated = places.isolated.contains(places.doubles)
    options.output = "\(places.doubles)/Generated/\(service.name)+Doubles.swift"
    let sources = SourceFolders(folders)
    options.omitted = service.lineage.dropLast().filter { parent in
      sources.contains("extension Understudy.Intercepted: \(parent.qualifiedName) where")
    }.map(\.name)
    let both = try GeneratedFile(options: options, index: index)
    guard !both.refusals.isEmpty else { return both }
    options.kinds = [.intercepted]
    return try GeneratedFile(options: options, index: index)
  }

  private var folders: [String] { [places.doubles, places.tests] }

  private var inMemoryFile: AdoptedFile {
    var imports = ImportList()
    // The types of closures are inferred.
    imports.add(modules, service.isStructure ? "" : level)
    imports.add(services, testable ?? level)
    if inMemory.usesFaults {
      imports.add(["Understudy"])
      if let (module, attribute) = errors.module { imports.add([module], attribute) }
    }
    return file("\(places.doubles)/\(names.double).swift", imports, "the double in memory, to be written") {
      inMemory.write(to: &$0, isolation: isolation(in: places.doubles))
    }
  }

  private var contractFile: AdoptedFile {
    var imports = testImports
    imports.add(["Understudy"])
    if contract.heldAtOnce != nil {
      if let module = places.doublesModule { imports.add([module]) }
      for (module, attribute) in errors.modules { imports.add([module], attribute) }
    }
    return file(
      "\(places.tests)/\(names.type)Contract.swift", imports, "a clause for each method, to be written"
    ) { source in
      contract.write(to: &source, isolation: isolation(in: places.tests))
    }
  }

  private var testFile: AdoptedFile {
    var imports = ImportList()
    imports.add([service.module], testable ?? "")
    imports.add(["Testing", "Understudy", "UnderstudyTesting"])
    if let module = places.doublesModule { imports.add([module]) }
    return file("\(places.tests)/\(suite).swift", imports, "the test, which runs the contract") { source in
      source.block("struct \(suite) {") { source in
        let (test, contract) = (index.name("Test", in: "Testing"), toolkit("Contract"))
        source.line(
          "@\(test)(arguments: \(contract).\(SourceWords.escaped(names.contract)).checks(of: .inMemory))")
        let head = "func honours(_ check: \(toolkit("ContractCheck"))<\(service.subject)>) async throws {"
        if source.fits("\(head) try await check.run() }") {
          source.line("\(head) try await check.run() }")
        } else {
          source.block(head) { $0.line("try await check.run()") }
        }
      }
      source.line()
      let isolation = self.isolation(in: places.tests)
      let head = "extension \(toolkit("Implementation")) where Subject == \(service.subject) {"
      source.block(isolation + head) { source in
        source.line("/// The double, with injected failures.")
        let (base, subject) =
          service.isStructure
          ? ("\(service.qualifiedName).inMemory", "\(service.qualifiedName)($0)")
          : ("\(names.double)()", "$0")
        source.line("static var inMemory: Self { .double(\"in-memory\", \(base)) { \(subject) } }")
      }
    }
  }

  private func mappingFile(_ mapping: ErrorMapping) -> AdoptedFile {
    var imports = ImportList()
    imports.add(["Understudy"], level)
    imports.add([mapping.module], mapping.access == .internal ? "@testable " : level)
    return file(
      "\(places.doubles)/\(mapping.type)+Fault.swift", imports,
      "the \(mapping.type) of each fault, guessed by name"
    ) { mapping.write(to: &$0, access: access.modifier, isolation: isolation(in: places.doubles)) }
  }

  private var functionFile: AdoptedFile {
    var imports = ImportList()
    imports.add(["Understudy"], level)
    let path = "\(places.doubles)/\(names.type)+Fault.swift"
    if let mapping = errors.partial {
      imports.add([mapping.module], mapping.access == .internal ? "@testable " : "")
    }
    let own = errors.partial.map { "\($0.type) or " } ?? ""
    return file(path, imports, "the error of each fault: \(own)that of URLSession") { source in
      source.documentation(
        errors.partial.map {
          [
            "What the live service throws for a fault: `\($0.type)`, or an error of `URLSession`.",
            "The cases are guessed from their names. Correct them.",
          ]
        } ?? [
          "What the live service throws for a fault: the errors of `URLSession`.", "Add those of the app.",
        ])
      let modifiers = isolation(in: places.doubles) + access.modifier
      source.block("\(modifiers)func \(errors.expression ?? "")(_ fault: \(toolkit("Fault"))) -> any Error {")
      { source in
        source.line("switch fault.symptom {")
        let others = errors.partial?.writeCases(to: &source) ?? ErrorMapping.Symptom.allCases
        for symptom in ErrorMapping.Symptom.ofNetwork + [.unreadable] where others.contains(symptom) {
          source.line("case .\(symptom.rawValue): URLError(.\(symptom.code))")
        }
        if others.contains(.cancelled) { source.line("case .cancelled: CancellationError()") }
        source.line("case .unimplemented: fault")
        source.line("default: URLError(.badServerResponse)")
        source.line("}")
      }
    }
  }

  // MARK: - Parts

  /// Returns the source of a type of the toolkit.
  private func toolkit(_ name: String) -> String { index.name(name, in: "Understudy") }

  /// The modules of the package that the files import.
  var importedModules: Set<String> {
    services.union(modules).union(errors.modules.map(\.module)).intersection(index.modules)
  }

  /// The modifier of declarations that would be isolated by default.
  private func isolation(in folder: String) -> String {
    places.isolated.contains(folder) ? "nonisolated " : ""
  }

  /// What the names of clauses begin with, some of which hold before anything is written by hand.
  var heldAtOnce: String? { contract.heldAtOnce }

  private var contract: ContractWriter {
    ContractWriter(
      service: service, names: names, samples: samples(in: testAccess), double: inMemory)
  }

  /// What no fault makes fail, a line for each way in which a fault is kept from it.
  var limits: [String] {
    func names(_ isIncluded: (Interception, _ canFail: Bool) -> Bool) -> [String] {
      service.lineage.flatMap(\.requirements).filter { requirement in
        let declaration = requirement.declaration
        return requirement.isOfInstances
          && isIncluded(Interception(of: declaration), declaration.failing != .nothing)
      }.reduce(into: []) { names, requirement in
        if !names.contains(requirement.title) { names.append(requirement.title) }
      }
    }
    let logged = names { interception, _ in interception == .forward }
    let delayed = names { interception, canFail in
      interception == .wait || [.callback, .task].contains(interception) && !canFail
    }
    let ended = names { interception, _ in [.plainStream, .plainPublisher].contains(interception) }
    func they(_ names: [String]) -> String { names.count > 1 ? "they" : "it" }
    var lines: [String] = []
    if !logged.isEmpty {
      let them = logged.count > 1 ? "them" : "it"
      lines.append(
        "No fault reaches \(logged.joined(separator: ", ")): \(they(logged)) cannot fail. A sweep names \(them) too."
      )
    }
    if !delayed.isEmpty {
      lines.append(
        "No fault makes \(delayed.joined(separator: ", ")) fail: \(they(delayed)) can only be delayed.")
    }
    if !ended.isEmpty {
      lines.append("A fault ends \(ended.joined(separator: ", ")) early: \(they(ended)) cannot fail.")
    }
    return lines
  }

  /// The name of the double in memory.
  var double: String { service.isStructure ? "\(service.name).inMemory" : names.double }

  private var inMemory: InMemoryWriter {
    InMemoryWriter(
      service: service, names: names,
      failure: FailureMapping(expression: errors.expression, of: service.lineage),
      samples: samples(in: access), access: access)
  }

  /// The access level of the doubles.
  private var access: AccessLevel { places.doublesModule == nil ? .internal : service.access }
  private var level: String { access.modifier }

  /// The lowest access level that the test target can use.
  private var testAccess: AccessLevel { testable == nil ? .package : .internal }

  private func samples(in access: AccessLevel) -> SampleValues {
    SampleValues(index: index, access: testable == nil ? max(access, .package) : .internal)
  }

  /// The attribute of the import of an internal protocol.
  private var testable: String? { service.access == .internal ? "@testable " : nil }

  private var services: Set<String> { Set(service.lineage.map(\.module)) }

  /// The modules of the declarations.
  private var modules: Set<String> {
    Set(service.lineage.flatMap(\.requirements).flatMap(\.modules)).subtracting(services)
  }

  private var testImports: ImportList {
    var imports = ImportList()
    imports.add(modules)
    imports.add(services, testable ?? "")
    return imports
  }

  /// Returns the modules of the values that a file makes.
  private static func foundation(in text: String) -> [String] {
    let types = ["URLError", "URLRequest", "URLSession"]
    if types.contains(where: text.contains) { return ["Foundation", "FoundationNetworking"] }
    let values = [
      "Calendar(", "Data(", "Date(", "DateComponents(", "DateInterval(", "IndexSet(", "Locale(", "TimeZone.",
      "URL(", "URLComponents(", "UUID(", "Bundle.main", "FileManager.default", "JSONDecoder(", "JSONEncoder(",
      "NotificationCenter.default", "UserDefaults.standard",
    ]
    return values.contains { text.contains($0) } ? ["Foundation"] : []
  }

  private func file(
    _ path: String, _ imports: ImportList, _ purpose: String, _ body: (inout SourceText) -> Void
  ) -> AdoptedFile {
    var contents = SourceText()
    body(&contents)
    var imports = imports
    imports.addMissing(Self.foundation(in: contents.text))
    var source = SourceText()
    imports.write(to: &source)
    for line in contents.lines { source.line(line) }
    // The compiler writes a space before each colon.
    return AdoptedFile(path: path, text: source.text.replacing(" : ", with: ": "), purpose: purpose)
  }
}

/// The errors that the doubles of a protocol throw.
struct AdoptedErrors {
  /// The mappings to write, except those that exist already.
  private(set) var written: [ErrorMapping] = []
  /// The modules of the errors, and how they are imported.
  private(set) var modules: [(module: String, attribute: String)] = []
  /// The module of the error that the function makes, and how it is imported; `nil` if the function is written.
  private(set) var module: (module: String, attribute: String)?
  /// The function from a fault to an error, for `generate`; `nil` for the initializer of typed errors.
  private(set) var expression: String?
  /// Whether the function is written, because no error of the app was found.
  private(set) var writesFunction = false
  /// The error of the app that the function returns for some faults.
  private(set) var partial: ErrorMapping?

  init(
    of service: ServiceProtocol, index: SymbolIndex, in folders: [String], options: AdoptionOptions
  ) throws(CommandError) {
    if let failure = options.failure {
      expression = failure
      let type = failure.firstRange(of: ".init").map { String(failure[..<$0.lowerBound]) } ?? failure
      module = index.types(named: type).first.flatMap(Self.module)
      modules = module.map { [$0] } ?? []
      return
    }
    let requirements = service.lineage.flatMap(\.requirements)
    var typed: [String] = []
    // An error of Foundation is made from one of the app.
    for case .typed(let type) in requirements.map(\.declaration.failing)
    where !typed.contains(type) && type != "NSError" {
      typed.append(type)
    }
    let throwsAny = requirements.contains {
      FailureMapping(expression: nil).isMissing(for: $0.declaration)
    }
    guard typed.count < 2 || !throwsAny else {
      throw CommandError(
        "\(service.place.map { "\($0): " } ?? "")\(service.name) throws \(typed.joined(separator: " and ")), and some "
          + "methods throw any error. Write init(_: Fault) of each, and use generate.")
    }
    let samples = SampleValues(index: index, access: service.access == .internal ? .internal : .package)
    let sources = SourceFolders(folders)
    for name in typed {
      let symbol = try Self.symbol(named: name, thrownBy: service, index: index)
      try add(symbol, named: name, samples: samples, unlessIn: sources)
    }
    guard throwsAny || options.error != nil else { return }
    var chosen: Symbol?
    if let error = options.error {
      let isOfSession = error == Self.errorOfSession && index.types(named: error).isEmpty
      if !isOfSession { chosen = try Self.symbol(named: error, thrownBy: service, index: index) }
    } else if let name = typed.first {
      chosen = try Self.symbol(named: name, thrownBy: service, index: index)
    } else if let guess = try Self.guess(for: service, index: index, samples: samples) {
      if let mapping = guess.mapping, mapping.isPartial, !guess.isDocumented {
        if !mapping.isEmpty {
          partial = mapping
          modules.append((mapping.module, mapping.access == .internal ? "@testable " : ""))
        }
      } else {
        chosen = guess.symbol
      }
    }
    guard let chosen else {
      guard throwsAny else { return }
      expression = "\(service.memberName)Error"
      writesFunction = true
      return
    }
    let name = index.qualifiedName(of: chosen)
    if !typed.contains(name) { try add(chosen, named: name, samples: samples, unlessIn: sources) }
    if throwsAny || typed.first != name {
      expression = "\(name).init"
      module = Self.module(of: chosen)
    }
  }

  /// How `--error` chooses the errors of the session instead of one of the package.
  private static let errorOfSession = "URLError"

  /// Returns the module of an error, and how it is imported.
  private static func module(of symbol: Symbol) -> (module: String, attribute: String)? {
    MangledName(symbol.identifier.precise).module.map {
      ($0, symbol.accessLevel == AccessLevel.internal.rawValue ? "@testable " : "")
    }
  }

  /// Returns whether a service can throw an error: one that is internal in another target is unknown to it.
  private static func isVisible(_ error: Symbol, to service: ServiceProtocol) -> Bool {
    service.lineage.contains { $0.module == MangledName(error.identifier.precise).module }
      || AccessLevel(rawValue: error.accessLevel) != .internal
  }

  /// Returns the error with a name in source.
  private static func symbol(
    named name: String, thrownBy service: ServiceProtocol, index: SymbolIndex
  ) throws(CommandError) -> Symbol {
    let named = index.types(named: index.type(behindAlias: name) ?? name)
    let found = named.isEmpty ? index.errors.filter { $0.pathComponents.last == name } : named
    guard let first = found.first else {
      throw CommandError(
        "\(name) not found in \(index.modules.sorted().joined(separator: ", ")). Write its init(_: Fault), and pass "
          + "--failure \(name).init.")
    }
    // Its own error hides that of another module.
    let visible = found.filter { isVisible($0, to: service) }
    let own = visible.filter { MangledName($0.identifier.precise).module == service.module }
    if let error = own.first { return error }
    guard let error = visible.first else {
      let module = MangledName(first.identifier.precise).module ?? "another target"
      throw CommandError(
        "\(first.name) is internal in \(module), so that no \(service.name) of \(service.module) can throw it. Declare it "
          + "public, or choose another error with --error.")
    }
    guard visible.count == 1 else {
      throw CommandError(
        "\(name) is more than one error. Choose one with --error: \(qualifiedNames(of: visible)).")
    }
    return error
  }

  private static func qualifiedNames(of errors: [Symbol]) -> String {
    errors.map { error in
      (MangledName(error.identifier.precise).module.map { "\($0)." } ?? "") + error.name
    }.sorted().joined(separator: ", ")
  }

  private mutating func add(
    _ symbol: Symbol, named name: String, samples: SampleValues, unlessIn sources: SourceFolders
  ) throws(CommandError) {
    let mapping = ErrorMapping(symbol, samples: samples)
    if let module = Self.module(of: symbol) { modules.append(module) }
    let types = Set([symbol.name, samples.index.qualifiedName(of: symbol)])
    let isWritten = types.contains { type in
      ["Fault", "Understudy.Fault"].contains {
        sources.contains("extension \(type) ", and: "(_ fault: \($0))")
      }
    }
    guard !isWritten, !written.contains(where: { $0.qualifiedType == mapping?.qualifiedType }) else { return }
    guard let mapping else {
      throw CommandError(
        "\(name) has no case or initializer whose values adopt can write. Write its init(_: Fault), and pass --failure "
          + "\(name).init.")
    }
    written.append(mapping)
  }

  /// Returns the error that the documentation names, or that has the name of the service, or the only one.
  ///
  /// - Throws: An error that names the candidates, if there are several.
  private static func guess(
    for service: ServiceProtocol, index: SymbolIndex, samples: SampleValues
  ) throws(CommandError) -> (symbol: Symbol, mapping: ErrorMapping?, isDocumented: Bool)? {
    let errors = index.errors.filter { symbol in
      (AccessLevel(rawValue: symbol.accessLevel) ?? .public) >= service.access
        && isVisible(symbol, to: service) && ErrorMapping(symbol, samples: samples) != nil
    }
    let documentation = service.lineage.map { index.documentation(ofProtocol: $0.name) }.joined(
      separator: " ")
    let mentioned = errors.filter {
      SourceWords.of(documentation).contains(Substring($0.pathComponents.last ?? ""))
    }
    let names = AdoptedNames(service)
    let titles = [names.type, names.subject].flatMap { ["\($0)Error", "\($0)Failure"] }
    let named = titles.lazy.compactMap { title in errors.first { $0.name == title } }.first
    let isDocumented = mentioned.count == 1
    let candidates = mentioned.isEmpty ? errors : mentioned
    guard let found = isDocumented ? mentioned[0] : named ?? candidates.first else { return nil }
    guard isDocumented || named != nil || candidates.count == 1 else {
      throw CommandError(
        "\(service.place.map { "\($0): " } ?? "")\(service.name) can throw any error, and more than one may be meant: "
          + "\(qualifiedNames(of: candidates)). Choose one with --error, or pass --error \(errorOfSession) for those of "
          + "URLSession.")
    }
    return (found, ErrorMapping(found, samples: samples), isDocumented)
  }
}

/// The Swift files of folders.
struct SourceFolders {
  private let texts: [String]

  init(_ folders: [String]) {
    let paths = Set(folders).flatMap { folder in
      ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".swift") }
        .map { "\(folder)/\($0)" }
    }
    texts = paths.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
  }

  /// Returns whether a file contains all of these texts.
  func contains(_ parts: String..., and other: String = "") -> Bool {
    texts.contains { text in (parts + [other]).allSatisfy { $0.isEmpty || text.contains($0) } }
  }
}

/// A file that `adopt` writes.
struct AdoptedFile {
  let path: String
  let text: String
  /// What it holds, in a few words.
  let purpose: String

  var exists: Bool { FileManager.default.fileExists(atPath: path) }
}

/// The head of a Swift file.
struct ImportList {
  /// The modules with the access level of their imports.
  private var levels: [String: String] = [:]

  /// Adds modules; what an import makes visible, or passes on, stays so.
  mutating func add(_ modules: some Sequence<String>, _ level: String = "") {
    let levels = ["", "package ", "public ", "@testable "]
    func rank(_ level: String?) -> Int { level.flatMap(levels.firstIndex) ?? -1 }
    for module in modules where rank(level) > rank(self.levels[module]) { self.levels[module] = level }
  }

  /// Adds modules that the list does not have.
  mutating func addMissing(_ modules: [String]) {
    add(modules.filter { levels[$0] == nil })
  }

  /// Writes the imports, and an empty line.
  func write(to source: inout SourceText) {
    let network = "FoundationNetworking"
    let names = levels.keys.filter { $0 != network }.sorted {
      ($0, levels[$0] ?? "") < ($1, levels[$1] ?? "")
    }
    let testable = names.filter { levels[$0] == "@testable " }
    for name in names where !testable.contains(name) { source.line("\(levels[name] ?? "")import \(name)") }
    if let level = levels[network] {
      source.line()
      source.line("#if canImport(\(network))")
      source.nested { $0.line("\(level)import \(network)") }
      source.line("#endif")
    }
    if !testable.isEmpty, testable.count < levels.count { source.line() }
    for name in testable { source.line("@testable import \(name)") }
    source.line()
  }
}

/// The names in the files of `adopt`, from the name of a protocol.
struct AdoptedNames {
  /// The name without `Protocol` or `Interface`, such as `LibraryService`.
  let type: String
  /// The static property of the contract, such as `libraryService`.
  let contract: String

  init(_ service: ServiceProtocol) {
    type = service.shortName
    contract = service.memberName
  }

  /// The double, such as `InMemoryLibraryService`.
  var double: String { "InMemory\(type)" }
  /// The first part of the identifiers of clauses, such as `library`.
  var stem: String { SourceWords.lowerCamelCase(subject) }
  /// What the service is about, such as `Library`.
  var subject: String { SourceWords.dropping(Self.roles, from: type) }

  private static let roles = [
    "Service", "Servicing", "Repository", "Client", "Store", "Storing", "Storage", "Provider", "Providing",
    "Manager",
    "Managing", "Gateway", "DataSource", "Datasource", "Loader", "Loading", "Fetcher", "Fetching", "Remote",
    "UseCase", "Interactor", "API",
  ]
}
