import Foundation
import Understudy
import UnderstudyConsole
public import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer
import UnderstudySupabase

/// A backend that `serve` starts.
///
/// ```swift
/// CommandLineTool("todos", contracts: …, serving: ServedBackend("the to-do backend, with one account") {
///   let emulator = try TodoEmulator()
///   return .init(emulator, notes: ["API key: \(emulator.apiKey)"])
/// })
/// ```
public struct ServedBackend: Sendable {
  /// A started backend.
  public struct Running: Sendable {
    let handler: any HTTPHandler
    let notes: [String]
    /// A function that returns the responses that no client has requested so far, one line each.
    let unused: @Sendable () -> [String]
    /// The tunnels of a forward proxy; `nil` for other servers.
    var tunnels: (any TunnelProvider)?

    /// Creates a started backend.
    ///
    /// - Parameters:
    ///   - handler: The handler of all requests.
    ///   - notes: The lines to print below the address, such as `API key: anon-key`.
    ///   - unused: A function that returns the responses that no client has requested so far, one line each, for the
    ///     end of the summary.
    public init(
      _ handler: some HTTPHandler, notes: [String] = [], unused: @escaping @Sendable () -> [String] = { [] }
    ) {
      self.handler = handler
      self.notes = notes
      self.unused = unused
    }
  }

  /// The description that follows "Serving".
  let title: String
  let start: @Sendable () async throws -> Running

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - title: A description that can follow "Serving".
  ///   - start: A function that creates the backend of a server. An error that it throws is printed in one line.
  public init(_ title: String, start: @escaping @Sendable () async throws -> Running) {
    self.title = title
    self.start = start
  }
}

/// A handler of any type, for one type of server.
struct AnyHandler: HTTPHandler {
  let base: any HTTPHandler

  var errorStyle: HTTPErrorStyle { base.errorStyle }

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    try await base.respond(to: request)
  }
}

extension ServedBackend {
  /// Creates a backend that replays a HAR file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - pauses: The clock for the recorded pauses; `nil` skips them.
  ///   - proxy: The termination of TLS, if the recording is served by a forward proxy.
  static func recording(
    _ archive: IndexedArchive, at path: String, pauses: Time?, proxy: TLSTerminator? = nil
  ) -> ServedBackend {
    ServedBackend("the recording \(path)") {
      let handler = ReplayHandler(archive, pauses: pauses, comparesOrigins: proxy != nil)
      let notes = ["\(archive.entryCount) recorded exchange(s)"] + (proxy?.authority.notes ?? [])
      var running = Running(handler, notes: notes) {
        handler.transport.unusedEntries.map {
          "entry \($0.index): \($0.entry.request.method) \($0.entry.request.url)"
        }
      }
      running.tunnels = proxy
      return running
    }
  }

  /// Creates a Supabase project in memory of the SQL of a file or a folder, with an account.
  static func schema(
    _ files: SchemaFiles, _ project: ProjectOptions, time: Time
  ) throws(CommandError) -> ServedBackend {
    let schema: DatabaseSchema
    do {
      schema = try DatabaseSchema(scripts: files.scripts, isLenient: project.isLenient)
    } catch {
      throw CommandError(
        "\(error.file ?? files.path):\(error.line): \(error.message) Add --lenient to leave out what fails.")
    }
    let problems = schema.skipped.map { "skipped: \($0.file ?? files.path):\($0.line): \($0.message)" }
    return ServedBackend("a Supabase project in memory of the SQL in \(files.path)") {
      let database = InMemoryDatabase(schema, time: time)
      let configuration = files.configuration
      let auth = AuthServer(
        database: database, time: time, tokenLifetime: .seconds(configuration.tokenLifetime),
        jwtSecret: project.jwtSecret ?? AuthServer.localJWTSecret,
        settings: project.settings(configuration.auth))
      var emulator = SupabaseEmulator(
        database: database, auth: auth, apiKey: project.anonKey, serviceKey: project.serviceKey,
        maximumRows: configuration.api.maximumRows)
      emulator.exposedSchemas = configuration.api.schemas
      emulator.extraSearchPath = configuration.api.extraSearchPath
      let (email, password) = ("pat@example.com", "correct horse")
      var notes = ["key: \(emulator.apiKey)", "service key: \(emulator.serviceKey)"]
      do throws(PostgRESTError) {
        let user = try auth.addUser(email: email, password: password)
        notes += ["email: \(email)", "password: \(password)", "user: \(user.uuidString.lowercased())"]
      } catch {
        // A trigger of the project may demand what only its own sign-up sends.
        notes.append("no account: \(error.message) (\(error.code)). Sign up with the project's own client.")
      }
      notes.append("tables: \(schema.tableNames.joined(separator: ", "))")
      if !schema.ignored.isEmpty { notes.append("ignored: \(schema.ignored.joined(separator: "; "))") }
      if !configuration.unsupported.isEmpty {
        notes.append("not supported in config.toml: \(configuration.unsupported.joined(separator: ", "))")
      }
      return Running(emulator, notes: notes + problems)
    }
  }
}

/// The SQL of a project: a file, or the folder of a project of the Supabase CLI.
struct SchemaFiles: Sendable {
  /// The path, as specified by the user.
  let path: String
  let scripts: [DatabaseSchema.Script]
  /// What `config.toml` in the folder sets; the defaults without the file.
  let configuration: ProjectConfiguration

  /// Reads a file, or of a folder the migrations in the order of their names, and then `seed.sql`.
  ///
  /// The folder is `supabase`, one that contains it, or one of SQL files only.
  init(_ path: String) throws(CommandError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      let file = try InputFile(path)
      self.path = path
      configuration = ProjectConfiguration()
      scripts = [
        DatabaseSchema.Script(name: path, text: String(decoding: try file.contents(), as: UTF8.self))
      ]
      return
    }
    let folder =
      ["\(path)/supabase", path].first {
        !Self.names(in: $0 + "/migrations").isEmpty
          || FileManager.default.fileExists(atPath: $0 + "/config.toml")
      } ?? path
    var names = Self.names(in: folder + "/migrations").map { "\(folder)/migrations/\($0)" }
    if names.isEmpty {
      names = Self.names(in: folder).map { "\(folder)/\($0)" }
    } else if FileManager.default.fileExists(atPath: folder + "/seed.sql") {
      names.append(folder + "/seed.sql")
    }
    let settings = folder + "/config.toml"
    let isConfigured = FileManager.default.fileExists(atPath: settings)
    guard !names.isEmpty || isConfigured else {
      throw CommandError("\(path) contains no SQL files (migrations/*.sql, seed.sql, *.sql).")
    }
    var scripts: [DatabaseSchema.Script] = []
    for name in names {
      let data = try InputFile(name).contents()
      scripts.append(DatabaseSchema.Script(name: name, text: String(decoding: data, as: UTF8.self)))
    }
    self.path = path
    self.scripts = scripts
    configuration = isConfigured ? try Self.configuration(at: settings) : ProjectConfiguration()
  }

  private static func configuration(at path: String) throws(CommandError) -> ProjectConfiguration {
    let text = String(decoding: try InputFile(path).contents(), as: UTF8.self)
    do throws(TOMLReader.Failure) {
      return try ProjectConfiguration(text, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw CommandError("\(path):\(error.line): \(error.problem)")
    }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sql") }
      .sorted()
  }
}
