/// The descriptors that an `EventLoop` watches, by token.
///
/// A token contains the number of a slot and its generation. An event that was pending when its descriptor was closed
/// therefore never reaches the next owner of the slot. Tokens are never zero.
struct WatchList: Sendable {
  private struct Slot: Sendable {
    var use: UInt32 = 0
    var observer: (any ReadinessObserver)?
  }

  private var slots: [Slot] = []
  private var free: [Int] = []

  mutating func add(_ observer: any ReadinessObserver) -> UInt64 {
    let index = free.popLast() ?? slots.endIndex
    if index == slots.endIndex { slots.append(Slot()) }
    slots[index].use = slots[index].use == .max ? 1 : slots[index].use + 1
    slots[index].observer = observer
    return UInt64(slots[index].use) << 32 | UInt64(truncatingIfNeeded: index)
  }

  mutating func remove(_ token: UInt64) {
    let index = Int(token & 0xFFFF_FFFF)
    guard observer(of: token) != nil else { return }
    slots[index].observer = nil
    free.append(index)
  }

  func observer(of token: UInt64) -> (any ReadinessObserver)? {
    let index = Int(token & 0xFFFF_FFFF)
    guard index < slots.count, slots[index].use == UInt32(truncatingIfNeeded: token >> 32) else { return nil }
    return slots[index].observer
  }

  var all: [any ReadinessObserver] { slots.compactMap(\.observer) }
}
