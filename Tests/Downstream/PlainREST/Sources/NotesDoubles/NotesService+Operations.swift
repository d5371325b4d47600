public import Notes
public import Understudy

extension ServiceOperations where Subject == any NotesService {
  /// The operations of `NotesService`, for comparing two implementations.
  public static var notesService: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some NotesService) -> any NotesService {
          Intercepted(base, by: .observer(observer))
        }
        return observed(base)
      },
      ServiceOperation("notes()") { base in try await base.notes() },
      ServiceOperation("add(_:)") { base, text in try await base.add(text) },
      ServiceOperation("remove(id:)") { base, id in try await base.remove(id: id) },
      ServiceOperation(stream: "changes()") { base in base.changes() })
  }
}
