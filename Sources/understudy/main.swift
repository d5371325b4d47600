import SharedServicesContracts
import UnderstudyCommand

await CommandLineTool(
  "understudy",
  contracts: RegisteredContract(
    .authService, .inMemory, .supabase(over: .emulator), .supabase(over: .faults)),
  RegisteredContract(
    .childrenService, .inMemory, .supabase(over: .emulator), .supabase(over: .faults)),
  scenes: [.timelines]
).main()
