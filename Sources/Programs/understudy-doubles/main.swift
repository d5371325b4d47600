import UnderstudyConsole
import UnderstudyGeneration

// The commands of `understudy` that write doubles, without its servers and recordings, so that it is built in seconds.
let name = "understudy-doubles"
await Program(name, .adopt(of: name), .generate(of: name)).main()
