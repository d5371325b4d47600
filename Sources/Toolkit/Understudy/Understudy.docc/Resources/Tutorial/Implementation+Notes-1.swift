public import Notes
import NotesDoubles
public import Understudy

extension Implementation where Subject == any NotesService {
  /// The double.
  public static var inMemory: Self { .double("in-memory", InMemoryNotes()) { $0 } }
}
