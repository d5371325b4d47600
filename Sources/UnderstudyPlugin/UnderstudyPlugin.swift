import Foundation
import PackagePlugin

/// `swift package understudy <command> …`: runs the tool in the folder of the package.
@main struct UnderstudyPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let folder = context.package.directoryURL.path(percentEncoded: false)
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      return Diagnostics.error("\(folder) cannot be entered.")
    }
    guard arguments.first == "generate" else {
      return try run("UnderstudyTool", arguments, context)
    }
    let request = GenerationRequest(Array(arguments.dropFirst()), in: context.package)
    let words: [String]
    do {
      words = try request.words(from: packageManager)
    } catch let error as GenerationRequestError {
      return Diagnostics.error(error.description)
    }
    try run("UnderstudyGenerator", words, context)
  }

  /// In place of this process, so that whoever stops the plugin stops the tool: a child would outlive it.
  private func run(_ name: String, _ arguments: [String], _ context: PluginContext) throws {
    let tool = try context.tool(named: name).url.path(percentEncoded: false)
    var words = ([tool] + arguments).map { strdup($0) } + [nil]
    execv(tool, &words)
    Diagnostics.error("\(tool) cannot be run: \(String(cString: strerror(errno)))")
  }
}
