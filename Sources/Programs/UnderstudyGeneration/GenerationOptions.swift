import UnderstudyConsole
import UnderstudyText

/// The options of `generate`.
struct GenerationOptions: Equatable {
  /// A kind of double.
  enum Kind: String, CaseIterable {
    /// The conformance of `Intercepted`, and the table of operations.
    case intercepted
    /// The double that implements only what a test sets.
    case unimplemented
  }

  // In the first line of a file.

  var protocols: [String] = []
  var module: String?
  var kinds: [Kind] = Kind.allCases
  /// The requirements, or refined protocols, that are written by hand.
  var omitted: [String] = []
  /// The function from a fault to an error.
  var failure: String?
  /// Modules to import besides those of the declarations.
  var imports: [String] = []
  /// The protocols of other packages.
  var retroactive: [String] = []
  /// Whether the target of the file is isolated to a global actor by default, so that declarations opt out of it.
  var isNonisolated = false
  var output: String?

  // Of one run.

  var isCheck = false
  /// Generated files, whose first lines have the other options.
  var files: [String] = []
  /// Files or folders of symbol graphs.
  var symbolGraphs: [String] = []
  /// A folder of compiled modules.
  var modules: String?
  var isHelp = false
  /// Whether `adopt` writes the file, which has fewer options.
  var isAdopted = false

  init() {}

  /// Reads the arguments of `generate`.
  ///
  /// - Parameter command: The command, for errors.
  init(_ words: [String], of command: String) throws(CommandError) {
    var reader = OptionReader(words, of: command)
    while let option = try reader.next(
      repeatable: ["--protocol", "--write", "--omit", "--import", "--retroactive", "--symbol-graph"])
    {
      switch option {
      case "--help", "-h":
        isHelp = true
        return
      case "--protocol":
        let name = try reader.value()
        guard !protocols.contains(name) else {
          throw CommandError("--protocol \(name) is repeated. See \(command) --help.")
        }
        protocols.append(name)
      case "--module": module = try reader.value()
      case "--write":
        let name = try reader.value(among: Kind.allCases.map(\.rawValue), "kind of double")
        let kind = Kind.allCases.filter { $0.rawValue == name }
        kinds = kinds == Kind.allCases ? kind : kinds + kind
      case "--omit": omitted.append(try reader.value())
      case "--failure": failure = try reader.value()
      case "--import": imports.append(try reader.value())
      case "--retroactive": retroactive.append(try reader.value())
      case "--nonisolated": isNonisolated = true
      case "--output": output = try reader.value()
      case "--check": isCheck = true
      case "--symbol-graph": symbolGraphs.append(try reader.value())
      case "--modules": modules = try reader.value()
      default: files.append(try reader.operand(option))
      }
    }
  }

  /// Checks that each name of `--omit` and `--retroactive` is found.
  func demandKnownNames(in services: [ServiceProtocol]) throws(CommandError) {
    let protocols = protocols.joined(separator: " or ")
    if let name = omitted.first(where: { name in !services.contains { $0.hasAnything(named: name) } }) {
      throw CommandError("--omit \(Words.shell(name)): requirement not found in \(protocols).")
    }
    let lineage = services.flatMap(\.lineage)
    if let name = retroactive.first(where: { name in !lineage.contains { $0.name == name } }) {
      throw CommandError(
        "--retroactive \(Words.shell(name)): not \(protocols), nor a protocol that it refines.")
    }
  }

  /// The arguments that regenerate the file.
  var words: [String] {
    func repeated(_ option: String, _ values: [String]) -> [String] { values.flatMap { [option, $0] } }
    return repeated("--module", module.map { [$0] } ?? []) + repeated("--protocol", protocols)
      + repeated("--write", kinds == Kind.allCases ? [] : kinds.map(\.rawValue)) + repeated("--omit", omitted)
      + repeated("--failure", failure.map { [$0] } ?? []) + repeated("--import", imports)
      + repeated("--retroactive", retroactive) + (isNonisolated ? ["--nonisolated"] : [])
      + repeated("--output", output.map { [$0] } ?? [])
  }
}
