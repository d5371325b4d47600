import Foundation
import UnderstudyBackend
import UnderstudyRecording
import UnderstudyTransport

extension ServedBackend {
  /// The answers of a HAR file.
  static func recording(_ path: String, time: Time) throws(CommandError) -> ServedBackend {
    let archive: IndexedArchive
    do {
      archive = try IndexedArchive(contentsOf: try file(path))
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(path) cannot be served as a recording. \(error)")
    }
    return ServedBackend("the recording \(path)") {
      let handler = ReplayHandler(archive, pauses: time)
      return Running(handler, notes: ["\(archive.entryCount) recorded exchange(s)"]) {
        handler.transport.unusedEntries.map {
          "entry \($0.index): \($0.entry.request.method) \($0.entry.request.url)"
        }
      }
    }
  }

  /// The exchanges of a document, with the door at which conditions are brought about.
  static func contract(_ path: String, time: Time) throws(CommandError) -> ServedBackend {
    let document: ExchangeDocument
    do {
      document = try ExchangeDocument(json: try Data(contentsOf: try file(path)))
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(path) cannot be served as a contract. \(error)")
    }
    return ServedBackend("the exchanges of \(document.service) in \(path)") {
      let handler = ExchangeHandler([document], time: time)
      let notes = [
        "\(document.exchanges.count) exchange(s)",
        "conditions: \(ConditionsEndpoint<ExchangeHandler>.path)",
      ]
      return Running(ConditionsEndpoint(handler), notes: notes) {
        handler.unusedExchanges.map {
          "\($0): \($0.request.method) \($0.request.path), given: "
            + ($0.conditions.isEmpty ? "nothing" : $0.conditions.joined(separator: ", "))
        }
      }
    }
  }

  /// A Supabase project in memory with the tables of a file, and an account.
  static func schema(_ path: String, time: Time) throws(CommandError) -> ServedBackend {
    let schema: DatabaseSchema
    do {
      schema = try DatabaseSchema(sql: String(decoding: try Data(contentsOf: try file(path)), as: UTF8.self))
    } catch let error as CommandError {
      throw error
    } catch let error as SQLError {
      throw CommandError(
        "\(path):\(error.line):\(error.column): \(error.statement): \(error.problem) \(error.advice)")
    } catch {
      throw CommandError("\(path) cannot be served as a schema. \(error.localizedDescription)")
    }
    return ServedBackend("a Supabase project in memory with the tables of \(path), empty") {
      let database = InMemoryDatabase(schema.tables, time: time)
      let auth = AuthServer(database: database, time: time)
      let emulator = SupabaseEmulator(database: database, auth: auth)
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

  /// A file that is there and can be read.
  private static func file(_ path: String) throws(CommandError) -> URL {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError("There is no file \(path) in \(FileManager.default.currentDirectoryPath).")
    }
    guard !isFolder.boolValue else { throw CommandError("\(path) is a folder, and a file is needed.") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw CommandError("\(path) may not be read by this user.")
    }
    return URL(filePath: path, directoryHint: .notDirectory)
  }
}
