import SharedServicesContracts
import SharedServicesVerification
import UnderstudyCommand
import UnderstudyRecording

extension ServedBackend {
  /// The Supabase project of the shared services with an account, the forum, and an endpoint that sets conditions.
  static let sharedServices = ServedBackend(
    "a Supabase project in memory, with an account and no children, and a forum"
  ) {
    let backend = DocumentedBackend(hasAccount: true)
    let values = backend.values
    let notes = ["key", "service key", "email", "password", "user"].compactMap { name in
      values[name].map { "\(name): \($0)" }
    }
    let conditions = "conditions: \(ConditionsEndpoint<DocumentedBackend>.path)"
    return Running(ConditionsEndpoint(backend), notes: notes + [conditions])
  }
}
