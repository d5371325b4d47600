import Testing
@Test func toy() {}
