import Foundation
import SharedServicesContracts
import SharedServicesDoubles
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
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all, through: .authService),
  RegisteredContract(
    .childrenService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) },
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all, through: .childrenService,
    equivalents: ["deleteChild.twice": "The second deletion finds nothing, and its error is not thrown."]),
  RegisteredContract(
    .conversationService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) },
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all,
    through: .conversationService),
  RegisteredContract(
    .realtimeService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    remote: { .supabase(at: SupabaseProject($0, keys: $1)) }, mutants: Mutant.all, through: .realtimeService),
  RegisteredContract(
    .forumsClient, .inMemory, .html(over: .emulator), .html(over: .socket), .html(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) }, mutants: Mutant.all, through: .forumsClient),
  RegisteredContract(
    .threadsRepository, .inMemory, .sqlite, mutants: Mutant.all, through: .threadsRepository),
  RegisteredContract(
    .threadsService, .inMemory, .forum, mutants: Mutant.all, through: .threadsService),
  RegisteredContract(.messageNormalizer, .standard, mutants: Mutant.all),
  RegisteredContract(
    .messageHistory, .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) }, mutants: Mutant.all,
    through: .messageHistoryService),
  RegisteredContract(
    .messageStream, .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults),
    recordings: RecordingsFolder.source, replaying: { .recorded(in: .sharedServices(at: $0)) },
    recording: { .recording(into: .sharedServices(at: $0)) }, mutants: Mutant.all,
    through: .messageStreamService),
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
