import Testing
import UnderstudyTransport
import UnderstudyTesting

@Suite(.stallLimit()) struct HTTPFieldsTests {
  @Test func namesAreComparedWithoutCase() {
    var fields: HTTP.Fields = ["Content-Type": "text/plain"]
    #expect(fields["content-TYPE"] == "text/plain")
    fields["CONTENT-type"] = "text/html"
    #expect(fields.count == 1)
    #expect(fields["Content-Type"] == "text/html")
    #expect(fields["Content_Type"] == nil, "0x5F and 0x2D differ by more than the bit of the case.")
    #expect((["@": "1"] as HTTP.Fields)["`"] == nil, "Only letters have a case.")
  }

  @Test func severalLinesOfOneName() {
    var fields = HTTP.Fields()
    fields.append(name: "Set-Cookie", value: "a=1")
    fields.append(name: "Other", value: "x")
    fields.append(name: "set-cookie", value: "b=2")
    #expect(fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
    #expect(fields["Set-Cookie"] == "a=1, b=2")
    #expect(fields.map(\.name) == ["Set-Cookie", "Other", "set-cookie"])
    fields["SET-COOKIE"] = "c=3"
    #expect(fields.map(\.value) == ["c=3", "x"], "The new line stands where the first one stood.")
    fields["Set-Cookie"] = nil
    #expect(fields.map(\.name) == ["Other"])
    fields["Missing"] = nil
    #expect(fields.count == 1)
  }

  @Test func anEmptyValueIsAValue() {
    let fields: HTTP.Fields = ["X": ""]
    #expect(fields["x"] == "")
    #expect(fields.values(of: "x") == [""])
  }

  @Test func equalWhateverTheCaseOfTheNames() {
    let (one, other): (HTTP.Fields, HTTP.Fields) = (["A": "1", "B": "2"], ["a": "1", "b": "2"])
    #expect(one == other)
    #expect(Set([one, other]).count == 1)
    #expect(one != ["B": "2", "A": "1"], "The order counts.")
    #expect(one != ["A": "1", "B": "3"])
    #expect(one != ["A": "1"])
  }
}
