import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// `recordings`: lists the recordings of a folder, or those that no test uses.
struct RecordingsCommand {
  let tool: CommandLineTool

  /// A row of the list.
  private struct Row: Encodable {
    let file: String
    let bytes: Int
    /// Their number; `nil` if the file is invalid.
    var exchanges: Int?
    /// The age of the oldest exchange in days; `nil` if no exchange has a date.
    var ageInDays: Int?
    /// The reason why the file is invalid.
    var error: String?
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var folder: String?
    var list: String?
    var format = "table"
    var reader = OptionReader(words, of: "\(tool.name) recordings")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--unused-by": list = try reader.value()
      case "--format": format = try reader.value(among: ["table", "json"], "format")
      default: folder = try reader.operand(option, after: folder)
      }
    }
    var files = try files(in: folder ?? ".")
    let count = files.count
    if let list {
      let used = try Self.used(in: list)
      // Of a wrong folder, every recording would seem to be used.
      if files.isEmpty { throw CommandError("No recording was found in \(folder ?? ".").") }
      files.removeAll { used.contains(Self.identity(of: URL(filePath: $0)), named: nameInFolder($0, folder)) }
    }
    let progress = ProgressBar("Reading", of: files.count, on: tool.environment.time, console: console)
    defer { progress.end() }
    var rows: [Row] = []
    for file in files { rows.append(try await progress.during(file) { row(of: file) }) }
    progress.end()
    if format == "json" {
      try console.write(json: rows)
    } else {
      var lines = rows.isEmpty ? [] : Self.table(of: rows).lines(width: console.width)
      lines.append(
        list.map { "\(rows.count) of \(Words.count(count, "recording")) not used by the tests of \($0)" }
          ?? Words.count(count, "recording"))
      try console.write(lines.joined(separator: "\n"))
    }
    let isBad = list == nil ? rows.contains { $0.error != nil } : !rows.isEmpty
    return isBad ? 1 : 0
  }

  /// Returns the recordings in a folder and its subfolders, without hidden ones such as `.build`.
  private func files(in folder: String) throws(CommandError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError("Folder not found: \(folder) (in \(FileManager.default.currentDirectoryPath)).")
    }
    var names: [String] = []
    let enumerator = FileManager.default.enumerator(atPath: folder)
    while let name = enumerator?.nextObject() as? String {
      if name.split(separator: "/").last?.hasPrefix(".") == true {
        enumerator?.skipDescendants()
        continue
      }
      if name.hasSuffix(".har") { names.append(name) }
      // The journal of a killed recorder, which had not finished a recording yet.
      if name.hasSuffix(".har.journal") { names.append(String(name.dropLast(".journal".count))) }
    }
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    return Set(names).sorted().map { prefix + $0 }
  }

  private func row(of file: String) -> Row {
    let size = [file, file + ".journal"].reduce(0) { sum, path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return sum + (attributes?[.size] as? Int ?? 0)
    }
    var row = Row(file: file, bytes: size)
    do throws(CommandError) {
      let archive = try InputFile(recording: file).archive { _ in }
      row.exchanges = archive.entryCount
      let oldest = (0..<archive.entryCount).compactMap { archive.entry(at: $0).startedDateTime }.min()
      row.ageInDays = oldest.flatMap {
        Int(exactly: (tool.environment.time.now.timeIntervalSince($0) / 86_400).rounded(.down))
      }
    } catch {
      row.error = error.description
    }
    return row
  }

  private static func table(of rows: [Row]) -> TextTable {
    var table = TextTable(("size", .right), ("exchanges", .right), ("oldest", .right), ("file", .left))
    for row in rows {
      table.append(
        Words.bytes(row.bytes), row.exchanges.map { "\($0)" } ?? "invalid",
        row.ageInDays.map { Words.count($0, "day") } ?? "—", row.file)
    }
    return table
  }

  /// The recordings in a list.
  private struct UsedList {
    var identities: Set<String> = []
    /// Those in a bundle of resources, which are copies.
    var copies: [String] = []

    /// Returns whether a recording or a copy of it is in the list.
    ///
    /// - Parameter name: The path in the folder, with which the path of a copy ends.
    func contains(_ identity: String, named name: String) -> Bool {
      identities.contains(identity) || copies.contains { $0.hasSuffix("/" + name) }
    }
  }

  /// Reads a list with a recording on each line.
  private static func used(in list: String) throws(CommandError) -> UsedList {
    let text = String(decoding: try InputFile(list).contents(), as: UTF8.self)
    var used = UsedList()
    for line in text.split(whereSeparator: \.isNewline) {
      let identity = identity(of: URL(filePath: String(line)))
      used.identities.insert(identity)
      let isCopy = identity.split(separator: "/").contains {
        $0.hasSuffix(".resources") || $0.hasSuffix(".bundle")
      }
      if isCopy { used.copies.append(identity) }
    }
    return used
  }

  private func nameInFolder(_ file: String, _ folder: String?) -> String {
    guard let folder, folder != "." else { return file }
    return String(file.dropFirst(folder.hasSuffix("/") ? folder.count : folder.count + 1))
  }

  /// The absolute path without symbolic links.
  private static func identity(of url: URL) -> String {
    url.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
  }

  private var usage: String {
    """
    usage: \(tool.name) recordings [<folder>] [--unused-by <file>] [--format table|json]

    List the recordings (.har) in a folder and its subfolders: the size, the number of exchanges, and the age of the
    oldest exchange.

      <folder>             The folder (default: the current one). Hidden folders in it are ignored.
      --unused-by <file>   List only the recordings that are not in this file. Tests append each recording that they use
                           to the file in UNDERSTUDY_USED_RECORDINGS.
      --format table|json  The format (default: table). JSON is a list of {file, bytes, exchanges, ageInDays, error}.
      --help               Show this help.

    Examples:
      \(tool.name) recordings Tests
      UNDERSTUDY_USED_RECORDINGS=$PWD/used.txt swift test && \(tool.name) recordings Tests --unused-by used.txt

    Exit status: 0 on success, 1 if a recording is not used with --unused-by, or is invalid without it, 2 if the
    arguments are invalid or a folder or file is not found.
    """
  }
}
