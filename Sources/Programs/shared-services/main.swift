import Foundation
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import SharedServicesRecordings
import UnderstudyCommand
import UnderstudyRecording

var tool = CommandLineTool(
  "shared-services",
  contracts: RegisteredContract(
    .authService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket), .supabase(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) },
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all,
    equivalents: [
      "currentUserID.retries": "It reads the session, and a second look finds the same.",
      "refresh.twice": "The second exchange leaves one session, as the first does.",
      "signIn(1).lowercased": "The server compares addresses without regard to case.",
      "signIn(1).uppercased": "The server compares addresses without regard to case.",
      "signOut.twice": "There is no session left to end.",
    ]),
  RegisteredContract(
    .childrenService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) },
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all,
    equivalents: [
      "deleteChild.twice": "The second deletion finds nothing, and its error is not thrown.",
      "updateChild(1).createdAt.moved": "The server keeps the date of the row.",
      "updateChild(1).createdAt.whole-seconds": "The server keeps the date of the row.",
      "updateChild(1).updatedAt.moved": "The server sets the date of the change.",
      "updateChild(1).updatedAt.whole-seconds": "The server sets the date of the change.",
      "updateChild(1).userID.another": "The server keeps the owner of the row.",
    ]),
  RegisteredContract(
    .conversationService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) },
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all),
  RegisteredContract(
    .realtimeService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all,
    equivalents: ["childChanges.twice": "The second subscription is not read, and ends."]),
  RegisteredContract(
    .forumsClient, .inMemory, .html(over: .emulator), .html(over: .socket), .html(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) }, mutants: Mutant.all,
    equivalents: [
      "*.retries":
        "Requests are counted over a transport, not in memory; what is read or marked again is the same.",
      "markSeen.twice": "What is seen already stays so.",
      "markUnseen.twice": "What is unseen already stays so.",
      "setBookmark.twice": "A bookmark that is set or removed already stays so.",
    ]),
  RegisteredContract(
    .threadsRepository, .inMemory, .sqlite, mutants: Mutant.all,
    equivalents: [
      "*.retries": "What is written or read again is the same.",
      "changes.twice": "The second stream is not read.",
      "delete.twice": "What is deleted already stays so.",
      "delete(1).last-twice": "A thread that is named again is gone already.",
      "delete(1).reversed": "All the threads are deleted in one step, whatever their order.",
      "delete(1).unique": "A thread that is named again is gone already.",
      "markRead.twice": "What is read already stays so.",
      "replaceThreads.twice": "The second replacement is the same.",
      "replaceThreads(2).last-twice": "Of two threads with one id the last one counts, and they are equal.",
      "replaceThreads(2)[].forumID.another": "The threads get the forum that the first argument names.",
      "replaceThreads(2)[].forumID.missing": "The threads get the forum that the first argument names.",
      "save.twice": "What is saved again is the same.",
      "save(1).last-twice": "Of two threads with one id the last one counts, and they are equal.",
      "setBookmark.twice": "A bookmark that is set or removed already stays so.",
    ]),
  RegisteredContract(
    .threadsService, .inMemory, .forum, mutants: Mutant.all,
    equivalents: [
      "*.retries": "Requests are not counted in memory; what is loaded, changed or read again is the same.",
      "changes.twice": "The second stream is not read.",
      "markRead(1).reading.replaced": "The call replaces what was seen.",
      "markRead(1).reading.seen.replaced": "The call replaces what was seen.",
      "markRead(1).reading.seen.unreadCount.another": "The call replaces what was seen.",
      "markUnread(1).reading.replaced": "The call replaces what was seen.",
      "markUnread(1).reading.seen.replaced": "The call replaces what was seen.",
      "markUnread(1).reading.seen.unreadCount.another": "The call replaces what was seen.",
      "setBookmark(2).bookmark.another": "The call replaces the bookmark.",
      "setBookmark(2).bookmark.missing": "The call replaces the bookmark.",
      "setBookmark(2).bookmark.replaced": "The call replaces the bookmark.",
    ]),
  RegisteredContract(.messageNormalizer, .standard, mutants: Mutant.all),
  RegisteredContract(
    .messageHistory, .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) }, mutants: Mutant.all,
    equivalents: ["page.retries": "What is read again is the same."]),
  RegisteredContract(
    .messageStream, .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) }, mutants: Mutant.all,
    equivalents: [
      "updates.twice": "The second stream is not read, and ends."
    ]),
  scenarios: [.onboarding, .profile, .following, .lyra, .signIn, .chat, .threads], serving: .sharedServices)
tool.demonstrations = [.conversation, .timelines, .chat]
tool.agreements = [
  RegisteredAgreement(.createChild, of: Fault.all(of: .call)),
  RegisteredAgreement(.fetchChildren, of: Fault.all(of: .call)),
  RegisteredAgreement(.updateChild, of: Fault.all(of: .call)),
  RegisteredAgreement(.deleteChild, of: Fault.all(of: .call)),
  RegisteredAgreement(.startConversation, of: Fault.all(of: .call)),
  RegisteredAgreement(.history, of: Fault.all(of: .call)),
  RegisteredAgreement(.forumThreads, of: Fault.all(of: .call)),
  RegisteredAgreement(.forumMarkSeen, of: Fault.all(of: .call)),
  RegisteredAgreement(.messagePage, of: Fault.all(of: .call)),
  RegisteredAgreement(.messageUpdates, of: Fault.all(of: .call)),
  RegisteredAgreement(.sendMessageStream, of: Fault.all(of: .stream)),
  // Stalls are injected later in a subscription: before it is established, a call over a socket reaches its time-out.
  RegisteredAgreement(
    .childChanges,
    of: Fault.all(of: .webSocket).filter { $0 != .stallStream() } + [.stallStream(afterEvents: 3)]),
]
await tool.main()

extension SupabaseProject {
  /// The project on the server that `verify --against` names.
  init(_ url: URL, keys: [String: String]) {
    self.init(
      url: url, apiKey: keys["api-key"] ?? "anon-key", serviceKey: keys["service-key"] ?? "service-key")
  }
}
