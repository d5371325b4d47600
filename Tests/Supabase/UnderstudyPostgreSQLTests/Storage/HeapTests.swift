import Testing

@testable import UnderstudyPostgreSQL

@Suite struct HeapTests {
  @Test func replacedRowsLeaveNoPages() throws {
    var heap = Heap()
    let kept = heap.append([.integer(-1)])
    var places = (0..<100).map { heap.append([.integer($0)]) }
    for round in 0..<2000 {
      let index = round * 37 % places.count
      heap.remove(places[index])
      places[index] = heap.append([.integer(Int64(index))])
    }
    #expect(heap.count == 101)
    // Every row may be alone in its page, but no page is empty.
    #expect(heap.capacity <= 101 * 64)
    #expect(heap[kept] == [.integer(-1)])
    for (index, place) in places.enumerated() { #expect(heap[place] == [.integer(Int64(index))]) }
    #expect(heap.places == ([kept] + places).sorted())
  }

  @Test func anEmptyHeapTakesRowsAgain() throws {
    var heap = Heap()
    for number in 0..<130 {
      let place = heap.append([.integer(Int64(number))])
      #expect(place == number)
      heap.remove(place)
      #expect(heap[place] == nil)
    }
    #expect(heap.capacity == 0)
    let last = heap.append([.null])
    #expect(heap.places == [last])
  }
}
