import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyRecording

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

  /// Creates a Supabase project in memory with the tables of a file, and an account.
  static func schema(
    _ file: InputFile, _ project: ProjectOptions, time: Time
  ) throws(CommandError) -> ServedBackend {
    let data = try file.contents()
    let schema: DatabaseSchema
    do {
      schema = try DatabaseSchema(sql: String(decoding: data, as: UTF8.self))
    } catch {
      throw CommandError(
        "\(file.path):\(error.line):\(error.column): \(error.statement): \(error.problem) \(error.advice)")
    }
    return ServedBackend("a Supabase project in memory with the tables of \(file.path), empty") {
      let database = InMemoryDatabase(schema, time: time)
      let auth = AuthServer(
        database: database, time: time, jwtSecret: project.jwtSecret ?? AuthServer.localJWTSecret,
        settings: project.auth)
      let emulator = SupabaseEmulator(
        database: database, auth: auth, apiKey: project.anonKey, serviceKey: project.serviceKey)
      let (email, password) = ("pat@example.com", "correct horse")
      let user = try auth.addUser(email: email, password: password)
      let notes = [
        "key: \(emulator.apiKey)", "service key: \(emulator.serviceKey)", "email: \(email)",
        "password: \(password)", "user: \(user.uuidString.lowercased())",
        "tables: \(schema.tables.map(\.name).joined(separator: ", "))",
      ]
      return Running(emulator, notes: notes)
    }
  }
}
