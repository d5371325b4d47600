package import UnderstudyConsole
import UnderstudyText

/// `adopt`: writes the files that a package needs to check a service with a contract.
struct AdoptCommand {
  /// The name of the program.
  let program: String

  private var command: String { "\(program) adopt" }

  func run(_ words: [String], console: Console) throws(CommandError) -> Int32 {
    let options = try AdoptionOptions(words, of: command)
    if options.isHelp {
      try console.write(usage)
      return 0
    }
    let isComplete = options.module != nil || !options.symbolGraphs.isEmpty
    let package: PackageDescription? =
      options.description == nil && isComplete && options.output != nil
      ? nil : try PackageDescription(at: options.description, manifest: options.manifest)
    let service: ServiceProtocol
    let index: SymbolIndex
    (service, index) = try read(options, package)
    let adoption = try Adoption(
      of: service, index: index, in: places(of: service, options, package), options: options)
    guard adoption.refusals.isEmpty else { return refuse(adoption.refusals, console) }
    let (files, refusals) = try adoption.files()
    guard refusals.isEmpty else { return refuse(refusals, console) }
    // If one file exists, no file is written.
    if let file = files.first(where: \.exists) {
      throw CommandError(
        "\(file.path) exists, and adopt overwrites nothing. Move it away, or choose another folder with --output or "
          + "--doubles.")
    }
    for file in files { try OutputFile(file.path).write(file.text) }
    try report(files, adoption, service, options, package, console)
    return 0
  }

  private func refuse(_ refusals: [String], _ console: Console) -> Int32 {
    for refusal in refusals { console.writeError(refusal) }
    return 1
  }

  // MARK: - Input

  private func read(
    _ options: AdoptionOptions, _ package: PackageDescription?
  ) throws(CommandError) -> (ServiceProtocol, SymbolIndex) {
    var generation = GenerationOptions()
    generation.symbolGraphs = options.symbolGraphs
    generation.modules = options.modules
    var module = options.module
    if module == nil { module = try package?.module(declaring: options.name) }
    // Only the plugin passes a description, and the package manager waits for it, so that a build would wait for ever.
    if let module, options.description != nil, options.symbolGraphs.isEmpty {
      throw CommandError(
        "The symbol graph of \(module), which declares \(options.name), is missing. Name it: --module \(module)"
      )
    }
    let others = module.map { package?.dependencies(ofModule: $0) ?? [] } ?? []
    let index = try SymbolGraphSource(options: generation, command: command)
      .index(of: module.map { [$0] } ?? [], beside: others)
    let known = index.protocols.values.filter { module == nil || $0.module == module }.map(\.symbol.name)
    // Only without a protocol of its name: a module that this one depends on may have a structure of that name.
    if !known.contains(options.name),
      let other = index.protocols.values.first(where: { $0.symbol.name == options.name })
    {
      throw CommandError(
        "Protocol \(options.name) is in \(other.module). Choose it with --module \(other.module).")
    }
    guard
      known.contains(options.name)
        || index.structures.values.contains(where: { $0.symbol.name == options.name })
    else {
      throw PackageDescription.unknown(
        options.name, in: module ?? index.modules.sorted().joined(separator: ", "), known: known)
    }
    return (try ProtocolReader(index: index, omitted: []).read(options.name, in: module), index)
  }

  private func places(
    of service: ServiceProtocol, _ options: AdoptionOptions, _ package: PackageDescription?
  ) -> Adoption.Places {
    var places = folders(of: service, options, package)
    let isolated = package?.targets.filter { package?.isolated.contains($0.name) == true }.map(\.path) ?? []
    places.isolated = Set(options.isNonisolated ? [places.tests, places.doubles] : isolated)
    return places
  }

  private func folders(
    of service: ServiceProtocol, _ options: AdoptionOptions, _ package: PackageDescription?
  ) -> Adoption.Places {
    let tests =
      options.output ?? package?.tests(ofModule: service.module)?.path ?? "Tests/\(service.module)Tests"
    // Only the test target can use an internal protocol.
    guard service.access != .internal else {
      return Adoption.Places(tests: tests, doubles: tests, doublesModule: nil)
    }
    let target = package?.doubles(ofModule: service.module)
    guard let doubles = options.doubles ?? target?.path, doubles != tests else {
      return Adoption.Places(tests: tests, doubles: tests, doublesModule: nil)
    }
    let module = package?.targets.first { $0.path == doubles }?.moduleName
    return Adoption.Places(
      tests: tests, doubles: doubles,
      doublesModule: module ?? doubles.split(separator: "/").last.map(String.init))
  }

  // MARK: - Output

  private func report(
    _ files: [AdoptedFile], _ adoption: Adoption, _ service: ServiceProtocol, _ options: AdoptionOptions,
    _ package: PackageDescription?, _ console: Console
  ) throws(CommandError) {
    var table = TextTable(.left, .left)
    for file in files { table.append("  " + file.path, file.purpose) }
    let targets = targetLines(
      places(of: service, options, package), service, adoption.importedModules, package)
    var steps: [[String]] = []
    if !targets.isEmpty { steps.append(["In Package.swift, let these targets depend on:"] + targets) }
    var run = [
      "swift test --filter \(adoption.suite)",
      "Each clause fails with one sentence until its \(service.isStructure ? "closure" : "method") in \(adoption.double) and the clause are written.",
    ]
    if let held = adoption.heldAtOnce {
      run.append("Those of \(held).* whose fault occurs before the call pass at once.")
    }
    steps.append(run)
    steps.append([
      "Write the \(service.isStructure ? "closures" : "methods") of \(adoption.double), then the clauses."
    ])
    steps.append([
      "Add the live service as a second implementation: checks(of: .inMemory, .live).",
      "For a client over HTTP, write a backend in memory, and add the product UnderstudyHTTP to the test target.",
      "On Linux, URLRequest is in FoundationNetworking: import it too. See the article The live implementation.",
    ])
    let limits = adoption.limits
    var lines = ["Wrote:"] + table.lines() + (limits.isEmpty ? [] : [""] + limits) + ["", "Next:"]
    for (number, step) in steps.enumerated() {
      lines.append("  \(number + 1). \(step[0])")
      lines += step.dropFirst().map { "     \($0)" }
    }
    try console.write(lines.joined(separator: "\n"))
  }

  /// The dependencies that targets are missing.
  private func targetLines(
    _ places: Adoption.Places, _ service: ServiceProtocol, _ imported: Set<String>,
    _ package: PackageDescription?
  ) -> [String] {
    func missing(_ path: String, _ name: String, targets: [String], products: [String]) -> [String] {
      let target = package?.targets.first { $0.path == path }
      let names = targets.filter { target?.dependencies?.contains($0) != true }.map { "\"\($0)\"," }
      let others = products.filter { target?.products?.contains($0) != true }
        .map { ".product(name: \"\($0)\", package: \"understudy\")," }
      return names.isEmpty && others.isEmpty
        ? [] : ["\(target?.name ?? name):"] + (names + others).map { "  " + $0 }
    }
    let module = package?.target(ofModule: service.module)?.name ?? service.module
    let others = imported.compactMap { package == nil ? $0 : package?.target(ofModule: $0)?.name }
      .filter { $0 != module }
    var lines: [String] = []
    var targets = [module] + others.sorted()
    if let doubles = places.doublesModule {
      lines = missing(places.doubles, doubles, targets: targets, products: ["Understudy"])
      targets.append(package?.targets.first { $0.path == places.doubles }?.name ?? doubles)
    }
    let tests = places.tests.split(separator: "/").last.map(String.init) ?? places.tests
    return lines
      + missing(places.tests, tests, targets: targets, products: ["Understudy", "UnderstudyTesting"])
  }

  private var usage: String {
    """
    usage: \(command) <protocol> [<option> …]

    Write what a package needs to check a service with a contract: the conformance of Intercepted, a double in memory,
    the error of each fault, a contract with a clause for each method, and a test. Everything compiles at once, and the
    clause of each method fails until both are written. No file is overwritten. A structure of closures, such as
    LibraryClient, is adopted as a protocol is.

      --module <module>         The module of the protocol (default: the target that declares it). Only this is built.
      --output <folder>         The folder of the test target (default: that of the module's test target).
      --doubles <folder>        The folder of the doubles (default: a target whose name ends with Doubles, or --output).
      --error <type>            The error that faults become, for plain throws, such as LibraryError or Core.LibraryError
                                (default: the error that the methods declare; or that the documentation of the protocol
                                names; or that has its name, such as LibraryError for LibraryService; or the only one that
                                the protocol can throw, in its target, or not internal in a target that it depends on. If
                                there are several, adopt names them and stops). Where it has no case for a failing network,
                                the error is that of URLSession, as it is everywhere with --error URLError.
      --failure <function>      Your function from a fault to an error, such as AppError.init. No mapping is written.
      --nonisolated             The targets of the files are isolated to the main actor by default (default: the settings in
                                Package.swift). Required for Xcode targets with that setting.
      --symbol-graph <path>     Read this file, or the files in this folder. Do not build. Can be repeated. It has internal
                                protocols if the compiler wrote it with -symbol-graph-minimum-access-level internal.
      --modules <folder>        Read the compiled modules in this folder, such as .build/debug/Modules. Do not build.
      --package-description <file>
                                Read the output of swift package describe --type json from this file. Do not run it.
      --package-manifest <file> Read the output of swift package dump-package from this file. Do not run it.
      --help                    Show this help.

    Examples:
      \(command) LibraryService
      swift package --allow-writing-to-package-directory understudy adopt LibraryService

    Exit status: 0 if the files are written, 1 if the protocol cannot have a double, 2 if the arguments are invalid or a
    file exists.
    """
  }
}

extension Command {
  /// The command `adopt` of a program.
  package static func adopt(of program: String) -> Command {
    Command(
      name: "adopt", abstract: "Write the doubles, the contract and the test of a protocol.",
      run: AdoptCommand(program: program).run)
  }
}

/// The options of `adopt`.
struct AdoptionOptions {
  /// The protocol.
  var name = ""
  var module: String?
  /// The folder of the test target.
  var output: String?
  /// The folder of the target with the doubles.
  var doubles: String?
  /// The error that a fault becomes where a requirement can throw any error.
  var error: String?
  /// The function from a fault to an error, which exists already.
  var failure: String?
  /// Files or folders of symbol graphs.
  var symbolGraphs: [String] = []
  /// A folder of compiled modules.
  var modules: String?
  /// A file with the targets of the package, as `swift package describe --type json` prints them.
  var description: String?
  /// A file with the settings of the targets, as `swift package dump-package` prints them.
  var manifest: String?
  /// Whether the targets of the files are isolated to a global actor by default.
  var isNonisolated = false
  var isHelp = false

  /// Reads the arguments of `adopt`.
  ///
  /// - Parameter command: The command, for errors.
  init(_ words: [String], of command: String) throws(CommandError) {
    var reader = OptionReader(words, of: command)
    while let option = try reader.next(repeatable: ["--symbol-graph"]) {
      switch option {
      case "--help", "-h":
        isHelp = true
        return
      case "--module": module = try reader.value()
      case "--output": output = Self.folder(try reader.value())
      case "--doubles": doubles = Self.folder(try reader.value())
      case "--error": error = try reader.value()
      case "--failure": failure = try reader.value()
      case "--symbol-graph": symbolGraphs.append(try reader.value())
      case "--modules": modules = try reader.value()
      case "--nonisolated": isNonisolated = true
      case "--package-description": description = try reader.value()
      case "--package-manifest": manifest = try reader.value()
      default: name = try reader.operand(option, after: name.isEmpty ? nil : name)
      }
    }
    guard !name.isEmpty else {
      throw CommandError(
        "adopt requires the name of a protocol, such as LibraryService. See \(command) --help.")
    }
    if let failure, error != nil {
      throw CommandError("--error cannot be combined with --failure \(failure), which chooses the error.")
    }
  }

  private static func folder(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
