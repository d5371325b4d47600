// Services as those of apps for mail and chats.

import Foundation

enum MailError: Error {
  case offline
  case rejected(code: Int, reason: String)
}

struct Message: Identifiable, Hashable, Sendable {
  let id: String
  var subject: String
  var isRead = false
}

struct Folder: Hashable, Sendable {
  let name: String
}

final class Attachment {
  let data: Data

  init(data: Data) {
    self.data = data
  }
}

// generated
// logged: folders
protocol MailService: Sendable {
  var folders: [Folder] { get }
  func messages(in folder: Folder, limit: Int) async throws(MailError) -> [Message]
  func send(_ message: Message, to recipients: [String], copies: [String]) async throws(MailError)
  func attach(_ attachment: Attachment, to message: Message) async throws(MailError) -> Message
  func arrivals(in folder: Folder) -> AsyncStream<Message>
}

// generated --failure MailError.init
// logged: unreadCount, setDelegate, delegate
@MainActor protocol Mailbox: AnyObject {
  var delegate: (any MailboxDelegate)? { get set }
  var unreadCount: Int { get }
  func fetch(completion: @escaping ([Message]?, NSError?) -> Void)
  func move(_ message: Message, to folder: Folder, completion: ((Error?) -> Void)?)
}

// generated
// logged: mailboxDidChange, mailbox
@MainActor protocol MailboxDelegate: AnyObject {
  func mailboxDidChange(_ mailbox: any Mailbox)
  func mailbox(_ mailbox: any Mailbox, didReceive messages: [Message])
}

enum ChatEvent: Sendable {
  case message(String, from: String)
  case typing(Bool)
}

// generated --failure MailError.init
// delayed: leave
protocol ChatService: Sendable {
  func join(_ room: String) async throws -> AsyncThrowingStream<ChatEvent, any Error>
  func send(_ text: String, replyingTo id: Message.ID?) async throws(MailError) -> Message.ID
  func react(to id: Message.ID, with emoji: Character) async throws
  func leave(_ room: String) async
  func typing(_ isTyping: Bool, in room: String) throws
}

// generated
// logged: mute, isMuted, setIsMuted
protocol VoiceCalls: AnyObject, Sendable {
  @MainActor var isMuted: Bool { get set }
  func dial(
    _ number: String, onConnect: @escaping @Sendable () -> Void,
    onFailure: @escaping @Sendable (MailError) -> Void)
  func hangUp(completion: (@Sendable (MailError?) -> Void)?)
  func mute()
}

struct Contact: Codable, Hashable, Sendable {
  var names: [String]
}

// generated --failure MailError.init
// logged: authorization
protocol ContactStore {
  func authorization() -> Bool
  func requestAccess(completionHandler: @escaping (Bool, Error?) -> Void)
  func contacts(matching predicate: @escaping (Contact) -> Bool) throws -> [Contact]
  func enumerate(_ body: @escaping (Contact) throws -> Void) throws
  func save(_ contact: Contact?) throws
}

// generated
// logged: isPostable
protocol SocialFeed: Sendable {
  typealias Cursor = String
  func timeline(before cursor: Cursor?) async throws(MailError) -> (posts: [Message], next: Cursor?)
  func post(_ text: String, pictures: [Data]) async -> Result<Message, MailError>
  func isPostable(_ text: String) -> Bool
  func like(
    _ id: Message.ID, _ isLiked: Bool, completion: @escaping @Sendable (Result<Int, MailError>) -> Void)
}

// generated --failure MailError.init
// logged: removeAll
// delayed: pending
protocol NotificationScheduler: Sendable {
  func requestAuthorization(options: [String]) async throws -> Bool
  func add(_ title: String, at date: Date, userInfo: [String: any Sendable]) async throws
  func pending() async -> [String]
  func removeAll()
}

// generated
// logged: languages
protocol TranslationService: Sendable {
  static var languages: [String] { get }
  var languages: [String] { get }
  func detect(_ texts: String...) async throws(MailError) -> String
  func detect(_ texts: [String]) async throws(MailError) -> String
  func translate(_ text: String, to language: String) async throws(MailError) -> String
}

// generated
// logged: isAvailable
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol DictationService: Sendable {
  var isAvailable: Bool { get }
  func words() async throws(MailError) -> AsyncStream<String>
  func sounds() -> any AsyncSequence<[Float], Never> & Sendable
  func stop(_ completion: @escaping @MainActor @Sendable (Result<String, MailError>) -> Void)
}
