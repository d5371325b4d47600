import Foundation
import UnderstudyRecording
enum Scratch {
  static func run(_ path: String) throws {
    var figures: [Double] = []
    var count = 0
    let size = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe).count
    for _ in 0..<11 {
      let duration = try ContinuousClock().measure {
        count += try IndexedArchive(contentsOf: URL(filePath: path)).entryCount
      }
      figures.append(Double(size) / (duration / .microseconds(1)))
    }
    print(path, count, figures.map { Int($0) })
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    print(status.split(separator: "\n").filter { $0.hasPrefix("Rss") })
  }
}
