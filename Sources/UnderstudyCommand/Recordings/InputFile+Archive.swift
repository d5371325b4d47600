import UnderstudyRecording

extension InputFile {
  /// The recording in the file.
  func archive() throws(CommandError) -> IndexedArchive {
    do {
      return try IndexedArchive(contentsOf: url)
    } catch {
      throw CommandError(error.description.visible)
    }
  }
}
