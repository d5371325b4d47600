import Foundation
import UnderstudyConsole
import UnderstudyText

/// The targets of a package, as `swift package describe --type json` prints them.
struct PackageDescription: Decodable {
  struct Target: Decodable {
    let name: String
    let moduleName: String
    /// The kind, such as `library`, `executable` and `test`.
    let kind: String
    let path: String
    let sources: [String]?
    let dependencies: [String]?
    let products: [String]?

    enum CodingKeys: String, CodingKey {
      case name, path, sources
      case moduleName = "c99name"
      case kind = "type"
      case dependencies = "target_dependencies"
      case products = "product_dependencies"
    }

    var isTest: Bool { kind == "test" }

    /// The names of the protocols that its sources declare, as far as their text shows.
    fileprivate var protocols: [String] { names(after: "protocol") }

    /// The names that follow a keyword in its sources.
    fileprivate func names(after keyword: String) -> [String] {
      (sources ?? []).flatMap { file in
        let text = (try? String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)) ?? ""
        return text.matches(of: /(?m)^[^\/\n]*\b(protocol|struct)\s+([A-Za-z_][A-Za-z0-9_]*)/)
          .filter { $0.output.1 == keyword }.map { String($0.output.2) }
      }
    }
  }

  let targets: [Target]
  /// The names of the targets that are isolated to the main actor by default.
  private(set) var isolated: Set<String> = []

  enum CodingKeys: String, CodingKey {
    case targets
  }

  /// Reads files, or asks the package manager.
  ///
  /// - Parameters:
  ///   - path: The file with the targets; `nil` to ask.
  ///   - manifest: The file with the settings of the targets.
  init(at path: String?, manifest: String?) throws(CommandError) {
    let text: Data
    if let path {
      text = try InputFile(path).contents()
    } else {
      guard FileManager.default.fileExists(atPath: "Package.swift") else {
        throw CommandError(
          "Package.swift not found in \(FileManager.default.currentDirectoryPath). Run adopt in the folder of the "
            + "package, or pass --symbol-graph and --output.")
      }
      text = Data(try ChildProcess(["swift", "package", "describe", "--type", "json"]).output().utf8)
    }
    do {
      self = try JSONDecoder().decode(PackageDescription.self, from: text)
    } catch {
      throw CommandError("The description of the package is not valid: \(error)")
    }
    // The description has no settings.
    if let manifest {
      isolated = try PackageManifest(InputFile(manifest).contents()).isolated
    } else if path == nil {
      let text = try ChildProcess(["swift", "package", "dump-package"]).output()
      isolated = try PackageManifest(Data(text.utf8)).isolated
    }
  }

  /// Returns the module that declares a protocol.
  func module(declaring name: String) throws(CommandError) -> String {
    let simple = name.split(separator: ".").last.map(String.init) ?? name
    let declared = targets.filter { !$0.isTest }.map { ($0.moduleName, $0.protocols) }
    var modules = declared.filter { $0.1.contains(simple) }.map(\.0)
    if modules.isEmpty {
      // A structure of closures.
      modules = targets.filter { !$0.isTest && $0.names(after: "struct").contains(simple) }.map(\.moduleName)
    }
    guard let module = modules.first else {
      throw Self.unknown(name, in: "the sources of this package", known: declared.flatMap(\.1))
    }
    guard modules.count == 1 else {
      throw CommandError(
        "Protocol \(name) is in \(modules.joined(separator: " and ")). Choose one with --module.")
    }
    return module
  }

  /// The error for a protocol that is not found.
  static func unknown(_ name: String, in place: String, known: [String]) -> CommandError {
    let remedy =
      known.nearest(to: name).map { "Did you mean \($0)?" } ?? "Choose its target with --module."
    return CommandError("Protocol \(name) not found in \(place). \(remedy)")
  }

  func target(ofModule module: String) -> Target? { targets.first { $0.moduleName == module } }

  /// Returns the modules that a module depends on, in this package.
  func dependencies(ofModule module: String) -> [String] {
    var found: [String] = []
    var wanted = target(ofModule: module)?.dependencies ?? []
    while let name = wanted.popLast() {
      guard let target = targets.first(where: { $0.name == name }), !found.contains(target.moduleName) else {
        continue
      }
      found.append(target.moduleName)
      wanted += target.dependencies ?? []
    }
    return found
  }

  /// Returns the test target of a module: the one with its name, or the first that depends on it.
  func tests(ofModule module: String) -> Target? {
    let candidates = dependants(of: module).filter(\.isTest)
    return targets.first { $0.isTest && $0.name == module + "Tests" } ?? candidates.first
  }

  /// Returns the target for the doubles of a module, if there is one: its name ends with `Doubles`.
  func doubles(ofModule module: String) -> Target? {
    let candidates = dependants(of: module).filter { $0.kind == "library" && $0.name.hasSuffix("Doubles") }
    return candidates.first { $0.name == module + "Doubles" } ?? candidates.first
  }

  private func dependants(of module: String) -> [Target] {
    guard let name = target(ofModule: module)?.name else { return [] }
    return targets.filter { $0.dependencies?.contains(name) == true }
  }
}

/// The settings of the targets of a package, as `swift package dump-package` prints them.
struct PackageManifest: Decodable {
  private struct Target: Decodable {
    let name: String
    let settings: [Setting]?
  }

  private struct Setting: Decodable {
    let kind: Kind
  }

  /// A setting; any other one has none of these values.
  private struct Kind: Decodable {
    let defaultIsolation: Value<String>?
    let unsafeFlags: Value<[String]>?

    var isIsolated: Bool {
      defaultIsolation?.value == "MainActor"
        || unsafeFlags.map { $0.value.contains("-default-isolation") && $0.value.contains("MainActor") }
          == true
    }
  }

  private struct Value<Contents: Decodable>: Decodable {
    let value: Contents

    enum CodingKeys: String, CodingKey {
      case value = "_0"
    }
  }

  private let targets: [Target]

  /// Reads the output of the package manager.
  init(_ text: Data) throws(CommandError) {
    do {
      self = try JSONDecoder().decode(PackageManifest.self, from: text)
    } catch {
      throw CommandError("The manifest of the package is not valid: \(error)")
    }
  }

  /// The names of the targets that are isolated to the main actor by default.
  var isolated: Set<String> {
    Set(targets.filter { ($0.settings ?? []).contains(where: \.kind.isIsolated) }.map(\.name))
  }
}
