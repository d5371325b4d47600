#if os(macOS) || os(Linux)
  import Foundation
  package import Testing

  /// A real PostgreSQL, which the environment specifies; `.ci/with-postgresql` starts one.
  package struct PostgreSQLServer {
    static let variable = "UNDERSTUDY_POSTGRESQL"
    package static let absence: Comment =
      "UNDERSTUDY_POSTGRESQL names no server. Run .ci/with-postgresql swift test, or set it to a connection string."

    /// A connection string, such as `host=/tmp/socket user=postgres dbname=postgres`, or the folder of a socket.
    let address: String

    package static var isNamed: Bool { ProcessInfo.processInfo.environment[variable]?.isEmpty == false }

    package init() throws {
      let named = try #require(ProcessInfo.processInfo.environment[Self.variable], Self.absence)
      address = named.hasPrefix("/") ? "host=\(named) user=postgres dbname=postgres" : named
    }

    /// Runs a script in its own temporary database, and returns the printed lines.
    ///
    /// It uses one process and one connection, for scripts of any length.
    package func lines(of script: String) async throws -> [String] {
      let name = "understudy_" + UUID().uuidString.lowercased().replacing("-", with: "")
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let files = ["script.sql", "output", "errors"].map { folder.appendingPathComponent($0) }
      let whole = """
        SET client_min_messages = warning;
        CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
        \\connect -reuse-previous=on \(name)
        SET client_min_messages = warning;
        SET timezone = 'UTC';
        \(script)
        \\connect -reuse-previous=on postgres
        DROP DATABASE \(name) WITH (FORCE);

        """
      try Data(whole.utf8).write(to: files[0])
      for file in files[1...] { try Data().write(to: file) }

      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
        "--file=\(files[0].path)", address,
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: files[1])
      process.standardError = try FileHandle(forWritingTo: files[2])
      let status: Int32 = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
      let errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
      try #require(
        status == 0, "psql ended with status \(status). Is it installed, and the server up? \(errors)")
      let output = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
      return output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
  }

  extension PostgreSQLServer {
    /// A string as an SQL literal.
    package static func quoted(_ text: String) -> String {
      // By scalars: a quotation mark and an accent behind it are one character.
      var quoted = "'".unicodeScalars
      for scalar in text.unicodeScalars { quoted.append(contentsOf: scalar == "'" ? ["'", "'"] : [scalar]) }
      return String(quoted) + "'"
    }
  }
#endif
