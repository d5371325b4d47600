import SharedServicesAgreement
import SharedServicesContracts
import SharedServicesMutants
import SharedServicesRecordings
import SharedServicesScenarios
import UnderstudyCommand
import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyRecording

await CommandLineTool(
  "understudy",
  contracts: RegisteredContract(
    .authService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket), .supabase(over: .faults),
    recorded: .sharedServices({ .recorded(in: $0) }, { .recording(into: $0) }),
    remote: { .supabase(at: SupabaseProject($0)) }, mutants: Mutant.all),
  RegisteredContract(
    .childrenService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    recorded: .sharedServices({ .recorded(in: $0) }, { .recording(into: $0) }),
    remote: { .supabase(at: SupabaseProject($0)) }, mutants: Mutant.all),
  RegisteredContract(
    .conversationService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults),
    recorded: .sharedServices({ .recorded(in: $0) }, { .recording(into: $0) }),
    remote: { .supabase(at: SupabaseProject($0)) }, mutants: Mutant.all),
  RegisteredContract(
    .realtimeService, .inMemory, .supabase(over: .emulator), .supabase(over: .socket),
    .supabase(over: .faults), remote: { .supabase(at: SupabaseProject($0)) }, mutants: Mutant.all),
  RegisteredContract(
    .forumsClient, .inMemory, .html(over: .emulator), .html(over: .socket), .html(over: .faults),
    recorded: .sharedServices({ .recorded(in: $0) }, { .recording(into: $0) }), mutants: Mutant.all),
  RegisteredContract(.threadsRepository, .inMemory, .sqlite, mutants: Mutant.all),
  RegisteredContract(.messageNormalizer, .standard, mutants: Mutant.all),
  RegisteredContract(
    .messageHistory, .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults),
    recorded: .sharedServices({ .recorded(in: $0) }, { .recording(into: $0) }), mutants: Mutant.all),
  RegisteredContract(
    .messageStream, .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults),
    recorded: .sharedServices({ .recorded(in: $0) }, { .recording(into: $0) }), mutants: Mutant.all),
  scenes: [.conversation, .timelines, .chat],
  agreements: [
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
    // A stall is tried later in a subscription: before it is in force, a call over a socket runs into its time-out.
    RegisteredAgreement(
      .childChanges,
      of: Fault.all(of: .webSocket).filter { $0 != .stallStream() } + [.stallStream(afterEvents: 3)]),
  ], scenarios: [.onboarding, .profile, .lyra, .chat, .threads], serving: .sharedServices
).main()

extension RecordedImplementation {
  /// An implementation whose recordings lie in `Recordings/`, or where the command is told.
  static func sharedServices(
    _ recorded: @escaping @Sendable (RecordingFolder) -> Implementation<Subject>,
    _ recording: @escaping @Sendable (RecordingFolder) -> Implementation<Subject>
  ) -> Self {
    Self(madeIn: RecordingsFolder.source) {
      recorded(.sharedServices(at: $0))
    } recording: {
      recording(.sharedServices(at: $0))
    }
  }
}

extension SupabaseProject {
  /// The project at a server that was given to a command.
  init(_ server: RemoteServer) {
    self.init(
      url: server.url, apiKey: server.keys["api-key"] ?? "anon-key",
      serviceKey: server.keys["service-key"] ?? "service-key")
  }
}
