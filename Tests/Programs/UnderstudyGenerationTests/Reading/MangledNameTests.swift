import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

// Catches an import that is missing, or of a module that cannot be imported.
@Suite(.stallLimit()) struct MangledNameTests {
  @Test(
    arguments: [
      ("s:4Shop5OrderV", "Shop"), ("s:20FoundationEssentials4UUIDV", "Foundation"),
      ("s:10Foundation3URLV", "Foundation"),
      ("s:SS", nil), ("s:s8SendableP", nil), ("s:ScA", nil), ("s:12_Concurrency6SomethV", nil),
      ("c:objc(cs)NSURL", nil),
      ("s:04DuckA2Go4ItemV", "DuckDuckGo"), ("s:07AppCoreA5Tests4ItemV", "AppCoreAppTests"),
      ("s:04HomeaA04ItemV", "HomeHomeHome"), ("s:07My_Kit_B04ItemV", "My_Kit_Kit"),
      ("s:04DuckB2Go4ItemV", nil),
      ("s:99Short", "Short"), ("s:", nil), ("", nil),
    ] as [(String, String?)])
  func theModuleIsTheFirstThingInTheName(_ name: String, _ module: String?) {
    #expect(MangledName(name).module == module)
  }
}
