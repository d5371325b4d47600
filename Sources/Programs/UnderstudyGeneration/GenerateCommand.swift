import Foundation
package import UnderstudyConsole
import UnderstudyText

/// `generate`: writes doubles of protocols, or checks that the files on disk are up to date.
struct GenerateCommand {
  /// The name of the program.
  let program: String

  private var command: String { "\(program) generate" }

  func run(_ words: [String], console: Console) throws(CommandError) -> Int32 {
    let options = try GenerationOptions(words, of: command)
    if options.isHelp {
      try console.write(usage)
      return 0
    }
    var files = try written(options)
    if files.isEmpty { try demandOutput(options) }
    let modules = Set((files.map(\.options) + [options]).compactMap(\.module)).sorted()
    let index = try SymbolGraphSource(options: options, command: command).index(of: modules)
    if files.isEmpty { files = try chosen(options, index) }
    let generated = try files.map { file throws(CommandError) in
      try GeneratedFile(options: file.options, index: index)
    }
    // If one file is refused, no file is written.
    let refusals = generated.flatMap(\.refusals)
    for refusal in refusals { console.writeError(refusal) }
    guard refusals.isEmpty else { return 1 }
    return options.isCheck ? try check(files, generated, console) : try write(files, generated, console)
  }

  private func check(
    _ files: [File], _ generated: [GeneratedFile], _ console: Console
  ) throws(CommandError) -> Int32 {
    var isUpToDate = true
    for (file, generated) in zip(files, generated) {
      let (current, text) = (file.contents, generated.text)
      guard current != text else { continue }
      isUpToDate = false
      for line in FileDifference(from: current, to: text).lines { console.writeError(file.path + line) }
    }
    guard isUpToDate else {
      console.writeError("\(program): To update, run the same command without --check.")
      return 1
    }
    try console.write("\(Words.count(files.count, "file is", "files are")) up to date.")
    return 0
  }

  private func write(
    _ files: [File], _ generated: [GeneratedFile], _ console: Console
  ) throws(CommandError) -> Int32 {
    for (file, generated) in zip(files, generated) {
      let text = generated.text
      if file.contents == text {
        try console.write("\(file.path) is up to date.")
      } else {
        try OutputFile(file.path).write(text)
        try console.write(file.path)
      }
      for name in generated.notSendable {
        console.writeError(
          "\(program): \(name) is not Sendable, so Intercepted requires a base whose type is, not any \(name). "
            + "If all its types are, declare protocol \(name): Sendable.")
      }
    }
    return 0
  }

  // MARK: - Files

  private struct File {
    let path: String
    let options: GenerationOptions

    var contents: String? { try? String(contentsOfFile: path, encoding: .utf8) }
  }

  private func demandOutput(_ options: GenerationOptions) throws(CommandError) {
    guard !options.protocols.isEmpty else {
      throw CommandError("generate requires --protocol or a generated file. See \(command) --help.")
    }
    guard let output = options.output else {
      throw CommandError("generate requires --output. See \(command) --help.")
    }
    guard output.hasSuffix(".swift") || isFolder(output) else {
      throw CommandError(
        "--output requires a .swift file or a folder, which exists or ends with /, found \(output).")
    }
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return path.hasSuffix("/")
      || (FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
  }

  /// Returns the files that the options describe.
  private func chosen(
    _ options: GenerationOptions, _ index: SymbolIndex
  ) throws(CommandError) -> [File] {
    guard let output = options.output, isFolder(output) else {
      return [File(path: options.output ?? "", options: options)]
    }
    let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
    let reader = ProtocolReader(index: index, omitted: Set(options.omitted))
    let services = try options.protocols.map { name throws(CommandError) in
      try reader.read(name, in: options.module)
    }
    try options.demandKnownNames(in: services)
    // A conformance must be in one file only: in that of its own protocol, or in the first that refines it.
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

  /// Returns the existing files, each with the options in its first line.
  private func written(_ options: GenerationOptions) throws(CommandError) -> [File] {
    guard options.files.isEmpty || options.words.isEmpty else {
      throw CommandError(
        "\(options.words[0]) cannot be combined with files, whose first lines have the options.")
    }
    var files: [File] = []
    for path in options.files {
      let text = String(decoding: try InputFile(path).contents(), as: UTF8.self)
      files.append(File(path: path, options: try GeneratedFile.options(in: text, at: path)))
    }
    return files
  }

  private var usage: String {
    """
    usage: \(command) --module <module> --protocol <name> … --output <file or folder> [<option> …]
           \(command) [--check] <generated file> …

    Write the conformance of Intercepted to protocols, the table of their operations, and doubles that implement only what
    a test sets, from the symbol graph of the compiler. The first line of each file has its options. To update files, pass
    only their paths. A comparison of two implementations calls the table: a comment names each requirement that it omits.

      --module <module>         The module of the protocol, which is the name of a target. Only this target is built.
      --protocol <name>         The protocol, such as TodoService, or Feed.Source if it is nested; or a structure of closures,
                                such as TodoClient. Can be repeated.
      --output <file or folder> A folder gets a file <protocol>+Doubles.swift for each protocol. Choose a target that all
                                tests depend on: a conformance must not be written twice.
      --write <kind>            Write only this kind (default: what can be written), where intercepted includes the table: \(GenerationOptions.Kind.allCases.map(\.rawValue).joined(separator: ", ")).
      --failure <function>      The function from a fault to an error of the app, such as AppError.init. You write it.
                                Required for calls that can fail with any error. Of several errors that calls declare, each
                                has its own: init(_: Fault). AppError.init(_:of:) receives the call and its arguments as well.
      --omit <requirement>      Do not write this requirement, such as "signOut()", all requirements with this name, such
                                as add, or this refined protocol. Write it by hand. The table calls it all the same. Can be
                                repeated.
      --import <module>         Import this module too. Can be repeated.
      --retroactive <protocol>  Write @retroactive, because this protocol is in another package. Can be repeated.
      --nonisolated             Write nonisolated declarations. Required if the target of the file is isolated to the main
                                actor by default: defaultIsolation(MainActor.self), or Default Actor Isolation in Xcode.
      --check                   Write nothing, and report files that are missing or out of date.
      --symbol-graph <path>     Read this file, or the files in this folder. Do not build. Can be repeated. It has internal
                                protocols if the compiler wrote it with -symbol-graph-minimum-access-level internal.
      --modules <folder>        Read the compiled modules in this folder, such as .build/debug/Modules. Do not build.
      --help                    Show this help.

    Examples:
      \(command) --module Todos --protocol TodoService --output Sources/TodoDoubles/Generated/
      \(command) --check Sources/TodoDoubles/Generated/*.swift

    Exit status: 0 if every file is written or up to date, 1 if --check found one that is not, or if a protocol cannot
    have a double, 2 if the arguments or a file are invalid or a file cannot be written.
    """
  }
}

extension Command {
  /// The command `generate` of a program.
  package static func generate(of program: String) -> Command {
    Command(
      name: "generate", abstract: "Write doubles of protocols, or check that they are up to date.",
      run: GenerateCommand(program: program).run)
  }
}

/// The first lines of a file that differ from its expected text.
struct FileDifference {
  private let old: String?
  private let new: String

  /// Creates a difference; `nil` represents a missing file.
  init(from old: String?, to new: String) {
    self.old = old
    self.new = new
  }

  /// The text after the path of the file, a line for each difference, with its line number.
  var lines: [String] {
    guard let old else { return [" is missing."] }
    let changes = Self.lines(of: new).difference(from: Self.lines(of: old)).map(Self.line)
      .sorted { ($0.number, $1.text) < ($1.number, $0.text) }
    let shown = changes.prefix(12).map { ":\($0.number): \($0.text)" }
    let rest = changes.count - shown.count
    return [" is out of date:"] + shown
      + (rest > 0 ? [": and \(Words.count(rest, "more line")) differ."] : [])
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func line(
    _ change: CollectionDifference<Substring>.Change
  ) -> (number: Int, text: String) {
    switch change {
    case .insert(let offset, let line, _): (offset + 1, "+ \(line)")
    case .remove(let offset, let line, _): (offset + 1, "- \(line)")
    }
  }
}
