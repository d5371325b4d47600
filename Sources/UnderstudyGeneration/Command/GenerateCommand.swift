import Foundation

/// `generate`: writes doubles of protocols, or checks whether those on disk are what it would write.
public struct GenerateCommand: Sendable {
  private let name: String

  /// A command.
  ///
  /// - Parameter name: How it is called, such as `understudy generate`.
  public init(_ name: String) {
    self.name = name
  }

  /// Runs the command in the current folder.
  ///
  /// - Parameters:
  ///   - words: The words behind the command's name.
  ///   - write: Is given the lines of standard output, one by one.
  ///   - writeError: Is given the lines of standard error, one by one.
  /// - Returns: The exit status: 0 when every file is written or is as it should be, 1 when `--check` found one that is
  ///   not, 2 when nothing can be written; then standard error says why, a line for each reason.
  public func run(
    _ words: [String], write: (String) -> Void, writeError: (String) -> Void
  ) -> Int32 {
    do throws(GenerationError) {
      let options = try GenerationOptions(words, of: name)
      if options.isHelp {
        write(usage)
        return 0
      }
      return try run(options, write, writeError)
    } catch {
      for reason in error.reasons { writeError("\(name): \(reason)") }
      return 2
    }
  }

  private func run(
    _ options: GenerationOptions, _ write: (String) -> Void, _ writeError: (String) -> Void
  ) throws(GenerationError) -> Int32 {
    var files = try written(options)
    if files.isEmpty { try demandOutput(options) }
    let modules = Set((files.map(\.options) + [options]).compactMap(\.module)).sorted()
    let index = try SymbolGraphSource(options: options).index(of: modules)
    if files.isEmpty { files = try chosen(options, index) }
    // All are made before the first is written: what is refused leaves every file as it was.
    let texts = try files.map { file throws(GenerationError) in
      try GeneratedFile(options: file.options, index: index).text()
    }
    var status: Int32 = 0
    for (file, text) in zip(files, texts) {
      let current = try? String(contentsOfFile: file.path, encoding: .utf8)
      if options.isCheck {
        guard current != text else { continue }
        status = 1
        for line in FileDifference(from: current, to: text).lines { writeError(file.path + line) }
      } else if current == text {
        write("\(file.path) is as it was.")
      } else {
        try save(text, at: file.path)
        write(file.path)
      }
      for note in notes(file.options, index) where !options.isCheck { writeError("\(name): \(note)") }
    }
    if status == 1 { writeError("\(name): Without --check, the same command writes what is missing here.") }
    if options.isCheck, status == 0 {
      write("\(files.count == 1 ? "1 file is" : "\(files.count) files are") as the protocols say.")
    }
    return status
  }

  // MARK: - Files

  private struct File {
    let path: String
    let options: GenerationOptions
  }

  private func demandOutput(_ options: GenerationOptions) throws(GenerationError) {
    guard !options.protocols.isEmpty else {
      throw GenerationError(
        "generate needs a protocol, --protocol, or a file that it has written. See \(name) --help.")
    }
    guard let output = options.output else {
      throw GenerationError("generate needs to know where to write: --output. See \(name) --help.")
    }
    guard output.hasSuffix(".swift") || isFolder(output) else {
      throw GenerationError(
        "--output takes a file (.swift) or a folder that is there or ends with /, not \(output).")
    }
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return path.hasSuffix("/")
      || (FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
  }

  /// The files that the options describe.
  private func chosen(
    _ options: GenerationOptions, _ index: SymbolIndex
  ) throws(GenerationError) -> [File] {
    guard let output = options.output, isFolder(output) else {
      return [File(path: options.output ?? "", options: options)]
    }
    let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
    let reader = ProtocolReader(index: index, omitted: Set(options.omitted))
    let services = try options.protocols.map { name throws(GenerationError) in
      try reader.read(name, in: options.module)
    }
    let unknown = Refusals(services: services, lineage: [], options: options).unknownNames
    if !unknown.isEmpty { throw GenerationError(unknown) }
    // A conformance is in one file only: of what is asked for in its own, of what others refine in the first.
    var conforming = services
    return services.map { service in
      var one = options
      one.protocols = [service.name]
      one.omitted = options.omitted.filter(service.hasAnything)
      one.retroactive = options.retroactive.filter { name in service.lineage.contains { $0.name == name } }
      for member in service.lineage.dropLast()
      where options.kinds.contains(.intercepted) && !one.omitted.contains(member.name) {
        if conforming.contains(where: member.isSame) {
          one.omitted.append(member.name)
        } else {
          conforming.append(member)
        }
      }
      let path = "\(folder)/\(service.name)+Doubles.swift"
      one.output = path
      return File(path: path, options: one)
    }
  }

  /// The files that were written before, each with the command in its first line.
  private func written(_ options: GenerationOptions) throws(GenerationError) -> [File] {
    guard options.files.isEmpty || options.words.isEmpty else {
      throw GenerationError(
        "The files say how they are written, so \(options.words[0]) cannot be given with them.")
    }
    var files: [File] = []
    for path in options.files {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw GenerationError("\(path) cannot be read.")
      }
      files.append(File(path: path, options: try GeneratedFile.options(in: text, at: path)))
    }
    return files
  }

  private func save(_ text: String, at path: String) throws(GenerationError) {
    let url = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw GenerationError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }

  // MARK: - What is told

  private func notes(_ options: GenerationOptions, _ index: SymbolIndex) -> [String] {
    let reader = ProtocolReader(index: index, omitted: Set(options.omitted))
    return options.protocols.compactMap { name in
      guard let service = try? reader.read(name, in: options.module), !service.isSendable else { return nil }
      return
        "\(name) is not Sendable, so an \"any \(name)\" cannot be intercepted, but only a base whose type is. "
        + "If all its types are, write \"protocol \(name): Sendable\"."
    }
  }

  private var usage: String {
    """
    usage: \(name) --module <module> --protocol <name> … --output <file or folder> [<option> …]
           \(name) [--check] <generated file> …

    Writes for protocols the conformance of Intercepted, and doubles of which a test says only what it uses, from what
    the compiler knows. The first line of each file says how it was written: given the files alone, writes them anew.

      --module <module>         Where the protocol is: the name of a target. It is built, and nothing that needs it.
      --protocol <name>         Such as TodoService, or Feed.Source for one inside a type; can be given several times.
      --output <file or folder> A folder gets <protocol>+Doubles.swift for each; what two of them refine is written in
                                the first alone. Put it into one target that all tests depend on: a conformance must not
                                be written twice.
      --write <kind>            Only this kind: \(GenerationOptions.Kind.allCases.map(\.rawValue).joined(separator: ", ")).
      --failure <function>      What makes an error of a fault, such as AppError.init. Unless said otherwise, init(_: Fault)
                                of the error's type for typed throws, which is yours to write, and for plain throws the
                                fault itself.
      --omit <requirement>      Is written by hand, such as "signOut()", or "add" for all of that name; or a protocol
                                that another one refines. Can be given several times.
      --import <module>         Imported too; can be given several times.
      --retroactive <protocol>  Is of another package, so that Swift asks for @retroactive; can be given several times.
      --check                   Writes nothing; says what is not as it would be written.
      --symbol-graph <path>     A file, or a folder of files, in place of building; can be given several times.
      --modules <folder>        Compiled modules, such as .build/debug/Modules, in place of building.
      --help                    This text.

    Exit status: 0 when every file is written or is as it should be, 1 when --check found one that is not, 2 when
    nothing can be written.
    """
  }
}
