// The calls of Mach that ProcessThreads.swift makes, for the threads that a check sets. The declarations are in
// ../Darwin/Darwin.h.

import Understudy

typealias thread_act_t = UInt32
typealias thread_act_array_t = UnsafeMutablePointer<thread_act_t>
typealias mach_msg_type_number_t = UInt32
typealias natural_t = UInt32
typealias integer_t = Int32
typealias thread_flavor_t = UInt32
typealias vm_address_t = UInt
typealias vm_size_t = UInt

let KERN_SUCCESS: Int32 = 0
let THREAD_BASIC_INFO: Int32 = 3
let TH_STATE_RUNNING: Int32 = 1
let TH_STATE_WAITING: Int32 = 3
let TH_STATE_UNINTERRUPTIBLE: Int32 = 4
let mach_task_self_: UInt32 = 9

struct thread_basic_info {
  var times = (Int32(0), Int32(0), Int32(0), Int32(0))
  var cpu_usage: Int32 = 0
  var policy: Int32 = 0
  var run_state: Int32 = 0
  var flags: Int32 = 0
  var suspend_count: Int32 = 0
  var sleep_time: Int32 = 0
}

/// The states of the threads with the ports 0, 1, 2 and so on, of which the first is the current one; and what is not yet
/// given back of what the calls returned.
struct FakeThreads: Sendable {
  var states: [Int32] = []
  var rights = 0
  var bytes = 0

  static let current = Locked(FakeThreads())
}

func mach_thread_self() -> thread_act_t {
  FakeThreads.current.withLock { $0.rights += 1 }
  return 0
}

func task_threads(
  _ task: UInt32, _ list: inout thread_act_array_t?, _ count: inout mach_msg_type_number_t
) -> Int32 {
  let number = FakeThreads.current.withLock { threads in
    threads.rights += threads.states.count
    threads.bytes += 4 * threads.states.count
    return threads.states.count
  }
  let made = thread_act_array_t.allocate(capacity: number)
  for index in 0..<number { made[index] = thread_act_t(index) }
  (list, count) = (made, UInt32(number))
  return KERN_SUCCESS
}

func thread_info(
  _ thread: thread_act_t, _ flavor: thread_flavor_t, _ info: UnsafeMutablePointer<integer_t>,
  _ count: inout mach_msg_type_number_t
) -> Int32 {
  // The sixth word is the state; a list that is too short is refused.
  guard flavor == THREAD_BASIC_INFO, count >= 10 else { return 4 }
  info[6] = FakeThreads.current.withLock { $0.states[Int(thread)] }
  return KERN_SUCCESS
}

@discardableResult func mach_port_deallocate(_ task: UInt32, _ name: thread_act_t) -> Int32 {
  FakeThreads.current.withLock { $0.rights -= 1 }
  return KERN_SUCCESS
}

@discardableResult func vm_deallocate(_ task: UInt32, _ address: vm_address_t, _ size: vm_size_t) -> Int32 {
  FakeThreads.current.withLock { $0.bytes -= Int(size) }
  thread_act_array_t(bitPattern: address)?.deallocate()
  return KERN_SUCCESS
}
