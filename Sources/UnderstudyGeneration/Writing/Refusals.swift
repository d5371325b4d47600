/// What stands in the way of doubles, where nobody says that they write it by hand.
struct Refusals {
  /// The protocols that are asked for.
  let services: [ServiceProtocol]
  /// They, and all that they refine.
  let lineage: [ServiceProtocol]
  let options: GenerationOptions

  /// One line for each reason.
  var reasons: [String] {
    lineage.flatMap(reasons) + services.filter { $0.obstacle == nil }.flatMap(reasonsOfUnimplemented)
      + unknownNames
  }

  private func reasons(_ service: ServiceProtocol) -> [String] {
    if let obstacle = service.obstacle { return [refusal(service.name, service.place, obstacle)] }
    return service.requirements.compactMap { requirement in
      guard let obstacle = requirement.obstacle, !options.omitted.contains(where: requirement.isNamed) else {
        return nil
      }
      return refusal(
        "\(service.name).\(requirement.title)", requirement.place,
        "\(obstacle); write it by hand and give --omit \"\(requirement.title)\"")
    }
  }

  private func refusal(_ title: String, _ place: String?, _ reason: String) -> String {
    "\(place.map { "\($0): " } ?? "")\(title) cannot have a double: \(reason)."
  }

  private func reasonsOfUnimplemented(_ service: ServiceProtocol) -> [String] {
    guard options.kinds.contains(.unimplemented) else { return [] }
    let writer = UnimplementedWriter(
      service: service, failure: FailureMapping(expression: nil), omitted: Set(options.omitted))
    return writer.obstacles.map { "\($0), so there is no unimplemented double; give --write intercepted." }
  }

  /// One line for each option whose name nothing has.
  var unknownNames: [String] {
    let protocols = options.protocols.joined(separator: " or ")
    let omissions = options.omitted.filter { name in
      !services.contains { $0.hasAnything(named: name) }
    }
    let retroactive = options.retroactive.filter { name in
      !services.flatMap(\.lineage).contains { $0.name == name }
    }
    return omissions.map { "--omit \"\($0)\" names no requirement of \(protocols)." }
      + retroactive.map { "--retroactive \"\($0)\" is neither \(protocols) nor refined by it." }
  }
}
