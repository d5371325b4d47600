// Services as those of apps for files, notes and passwords.

import Foundation

enum FileError: Error {
  case offline
  case conflict(version: Int)
  case full(required: Int64)
}

struct RemoteFile: Identifiable, Hashable, Sendable {
  enum Kind: Sendable {
    case file, folder
  }

  let id: String
  let kind: Kind
  let size: Int64
}

// generated
// logged: rootID
protocol CloudFiles: Sendable {
  var rootID: RemoteFile.ID { get }
  func list(_ folder: RemoteFile.ID, kind: RemoteFile.Kind?) async throws(FileError) -> [RemoteFile]
  func download(_ file: RemoteFile, to url: URL) -> AsyncStream<Double>
  func upload(_ url: URL, into folder: RemoteFile.ID, overwrite: Bool) async throws(FileError) -> RemoteFile
  func share(_ ids: Set<RemoteFile.ID>, until date: Date?) async -> Result<URL, FileError>
}

// generated --failure FileError.init
protocol FileTransfer: AnyObject {
  typealias Progressing = (_ done: Int64, _ total: Int64) -> Void
  typealias Completing = (_ file: RemoteFile?, _ error: Error?) -> Void

  func upload(_ data: Data, named name: String, progress: Progressing?, completion: @escaping Completing)
  func download(_ file: RemoteFile, progress: @escaping Progressing, completion: Completing?)
}

struct Secret: Codable, Hashable, Sendable {
  let name: String
  var password: String
}

// generated
// logged: isLocked, lock
// delayed: strength
protocol PasswordVault: Sendable {
  var isLocked: Bool { get }
  func unlock(with password: consuming String) async throws(FileError)
  func lock()
  func secrets() throws(FileError) -> [Secret]
  func store(_ secret: Secret) throws(FileError)
  func strength(of password: String) async -> Double
  subscript(name: String) -> Secret { get throws(FileError) }
}

// generated --failure FileError.init
protocol SecretStore {
  func set<Value: Encodable>(_ value: Value, for key: String) throws
  func get<Value: Decodable>(_ type: Value.Type, for key: String) throws -> Value?
  func remove(_ key: String) throws
}

// generated --failure FileError.init
// logged: observe
protocol NoteRepository<Note>: Sendable {
  associatedtype Note: Identifiable & Hashable & Sendable
  associatedtype Filter: Sendable = String
  func notes(matching filter: Filter?) async throws -> [Note]
  func save(_ note: Note) async throws(FileError) -> Note.ID
  func delete(_ id: Note.ID) async throws
  func observe(_ id: Note.ID, _ handler: @escaping @Sendable (Note?) -> Void)
}

// generated
// delayed: lastBackup
protocol BackupManager: Actor {
  var lastBackup: Date? { get async }
  func backUp(_ urls: [URL], encrypted: Bool) async throws(FileError) -> Int
  func restore(_ number: Int, onProgress: @escaping @Sendable (Double) -> Void) async throws(FileError)
}

// generated
// logged: canScan
@MainActor protocol DocumentScanner {
  static var isSupported: Bool { get }
  func canScan() -> Bool
  func scan(pages: ClosedRange<Int>) async throws(FileError) -> [Data]
  func recognize(_ image: Data, completion: @escaping @MainActor ([String], FileError?) -> Void)
}

// generated --write intercepted
// logged: data, set, subscript, setSubscript, keys
protocol KeyValueStore: AnyObject {
  init(name: String?)
  var keys: [String] { get }
  func data(for key: String) -> Data?
  func set(_ data: Data?, for key: String)
  subscript(key: String) -> String? { get set }
}

struct Query: Sendable {
  let text: String
}

// generated --failure FileError.init
// logged: lastInsertedID
protocol DatabaseClient: Sendable {
  var lastInsertedID: Int64 { get }
  func execute(_ query: Query, _ arguments: [any Sendable]) throws
  func rows<Row: Decodable & Sendable>(_ query: Query, as type: Row.Type) async throws -> [Row]
  func transaction(_ body: @escaping @Sendable () throws -> Void) throws
  func observe(_ tables: Set<String>) -> AsyncThrowingStream<Set<String>, Error>
}

// generated --failure FileError.init
// logged: cancel, isRunning
protocol DownloadQueue: Sendable {
  func enqueue(_ url: URL, priority: Int) -> Task<URL, any Error>
  func cancel(_ url: URL)
  func isRunning(_ url: URL) -> Bool
  func wait(for url: URL) async throws(FileError) -> URL
}
