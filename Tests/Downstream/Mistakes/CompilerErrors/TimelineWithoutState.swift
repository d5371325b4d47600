// Error: is unavailable: Write what the screen shows: StateTimeline(of: list) { $0.titles }.
import Understudy

@MainActor func timeline() async {
  let timeline = StateTimeline(of: TodoList(service: InMemoryTodos()))
  await timeline.subject.add("Milk")
}
