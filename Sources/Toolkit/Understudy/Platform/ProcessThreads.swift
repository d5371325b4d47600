import Foundation

#if canImport(Darwin) && !os(watchOS)
  // Only for `mach_task_self_`, a variable of C that the system sets once, before the program starts. SDKs since that of
  // macOS 15.4 declare it so, and need no @preconcurrency.
  @preconcurrency import Darwin
#endif

/// The threads of this process.
enum ProcessThreads {
  /// Whether another thread than the current one is running, or waits for a processor or for the disk, from which a
  /// program is read while it begins.
  #if canImport(Darwin) && !os(watchOS)
    static var isOneReady: Bool {
      var threads: thread_act_array_t?
      var count: mach_msg_type_number_t = 0
      guard task_threads(mach_task_self_, &threads, &count) == KERN_SUCCESS, let threads else { return false }
      let own = mach_thread_self()
      // The calls return rights to ports, and a list in memory of its own.
      defer {
        for index in 0..<Int(count) { mach_port_deallocate(mach_task_self_, threads[index]) }
        mach_port_deallocate(mach_task_self_, own)
        let size = Int(count) * MemoryLayout<thread_act_t>.stride
        vm_deallocate(mach_task_self_, vm_address_t(UInt(bitPattern: threads)), vm_size_t(size))
      }
      return (0..<Int(count)).contains { threads[$0] != own && isReady(threads[$0]) }
    }

    /// Those are the states "running", which includes a thread that waits for a processor, and "uninterruptible"
    /// (mach/thread_info.h).
    private static func isReady(_ thread: thread_act_t) -> Bool {
      var info = thread_basic_info()
      // THREAD_BASIC_INFO_COUNT, which Swift does not import.
      let words = MemoryLayout<thread_basic_info>.size / MemoryLayout<natural_t>.size
      var count = mach_msg_type_number_t(words)
      let result = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: words) { info in
          thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), info, &count)
        }
      }
      return result == KERN_SUCCESS && [TH_STATE_RUNNING, TH_STATE_UNINTERRUPTIBLE].contains(info.run_state)
    }
  #elseif os(Linux)
    static var isOneReady: Bool {
      // Those are the states R and D of proc(5).
      func state(_ file: String) -> (thread: Substring, state: Substring)? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
          // The second field is the name in parentheses, which may contain any character.
          let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
        else { return nil }
        return (
          text[..<start].dropLast(), text[end...].split(separator: " ").dropFirst().first ?? ""
        )
      }
      let own = state("/proc/thread-self/stat")?.thread
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.contains { thread in
        state("/proc/self/task/\(thread)/stat").map {
          $0.thread != own ?? "" && ["R", "D"].contains($0.state)
        } ?? false
      }
    }
  #else
    // On a watch, Mach's functions were not tried.
    static let isOneReady = false
  #endif
}
