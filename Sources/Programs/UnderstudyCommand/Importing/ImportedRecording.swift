import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// A file or a folder to import.
struct ImportSource {
  /// The path, as specified by the user.
  let path: String
  let url: URL
  let isFolder: Bool
  /// The contents; empty for a folder.
  let data: Data
  /// When the file was changed, for exchanges without a date.
  let changed: Date

  init(_ path: String) throws(CommandError) {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    self.path = path
    self.isFolder = exists && isFolder.boolValue
    url = URL(filePath: path, directoryHint: self.isFolder ? .isDirectory : .notDirectory)
    data = self.isFolder ? Data() : try InputFile(path).contents()
    let attributes = try? FileManager.default.attributesOfItem(atPath: path == "-" ? "/dev/stdin" : path)
    changed = attributes?[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
  }

  /// Returns the document in the file, which is JSON.
  func document() throws(CommandError) -> ImportedValue {
    let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    do {
      return ImportedValue(try JSONValue(parsing: text), file: path)
    } catch {
      // A cassette in YAML can have any name, and only one that is written by hand begins like JSON.
      let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
        !["yml", "yaml"].contains(url.pathExtension.lowercased())
      else {
        throw CommandError(
          "\(path): It is not JSON. To convert a cassette in YAML, see the article Recording and replaying.")
      }
      let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw CommandError("\(path): line \(line): Invalid JSON.")
    }
  }
}

/// What the user specifies about all formats.
struct ImportSettings {
  /// The scheme, the host and the port of requests that have none.
  var origin = "http://localhost:8080"
  /// The values of variables.
  var variables: [String: String] = [:]
}

/// The exchanges of imported files, and what could not be imported.
struct ImportedRecording {
  /// A part of a file, by its name, and what happened to it.
  struct Remark {
    let name: String
    /// Such as `left out: its request matches a pattern`.
    let problem: String
  }

  private(set) var entries: [HTTPArchive.Entry] = []
  private(set) var remarks: [Remark] = []

  /// Adds an exchange, or a remark if it cannot be imported.
  ///
  /// - Parameters:
  ///   - name: The name of the exchange for a remark.
  ///   - source: The file, whose date an exchange without a date receives.
  mutating func add(_ name: String, of source: ImportSource, _ exchange: () throws -> ImportedExchange)
    throws(CommandError)
  {
    do {
      entries.append(try exchange().entry(otherwiseAt: source.changed))
    } catch let error as NotImported {
      leaveOut(name, error.reason)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(source.path): \(error)")
    }
  }

  mutating func leaveOut(_ name: String, _ reason: String) {
    remarks.append(Remark(name: name, problem: "left out: \(reason)"))
  }

  mutating func note(_ name: String, _ problem: String) {
    remarks.append(Remark(name: name, problem: problem))
  }

  /// A line for each problem, with the names of the affected parts.
  var lines: [String] {
    let problems = remarks.reduce(into: [String]()) { if !$0.contains($1.problem) { $0.append($1.problem) } }
    return problems.map { problem in
      let names = remarks.filter { $0.problem == problem }.map(\.name)
      return "\(Words.count(names.count, "exchange")) \(problem) (\(names.joined(separator: ", ")))".visible
    }
  }
}
