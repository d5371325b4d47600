// Error: requires that 'PlainList' conform to 'Observable'
import Understudy

@MainActor final class PlainList { var isSaving = false }

let scenario = Scenario("saving", "A user adds a todo.") { run in
  let list = PlainList()
  run.always("saving.ends", list) { $0.isSaving ? "saving" : nil }
}
