/// Which function or operator a call means (PostgreSQL documentation, 10.2 and 10.3).
enum Resolution {
  /// What a candidate takes.
  struct Candidate {
    var parameters: [DataType]
    /// The type of each further argument.
    var variadic: DataType?

    func parameter(_ index: Int) -> DataType {
      index < parameters.count ? parameters[index] : variadic ?? .any
    }
  }

  enum Outcome {
    case none
    case one(Int)
    case ambiguous
  }

  /// The index of the candidate for the arguments.
  ///
  /// Candidates take the right number of arguments already.
  static func choose(_ candidates: [Candidate], for arguments: [DataType], isOperator: Bool) -> Outcome {
    // An exact match, and for an operator with one open operand the assumption that both are of the same type.
    if let exact = candidates.firstIndex(where: { candidate in
      arguments.indices.allSatisfy { arguments[$0] == candidate.parameter($0) && arguments[$0] != .unknown }
    }) {
      return .one(exact)
    }
    if isOperator, arguments.count == 2, arguments.contains(.unknown),
      let known = arguments.first(where: { $0 != .unknown }),
      let same = candidates.firstIndex(where: { $0.parameter(0) == known && $0.parameter(1) == known })
    {
      return .one(same)
    }

    var left = candidates.indices.filter { index in
      arguments.indices.allSatisfy { accepts(candidates[index].parameter($0), arguments[$0]) }
        && unifies(candidates[index], arguments)
    }
    if left.count <= 1 { return left.first.map(Outcome.one) ?? .none }

    left = best(left) { index in
      arguments.indices.count {
        arguments[$0] != .unknown && arguments[$0] == candidates[index].parameter($0)
      }
    }
    if left.count == 1 { return .one(left[0]) }

    left = best(left) { index in
      arguments.indices.count { position in
        let parameter = candidates[index].parameter(position)
        return arguments[position] == parameter && parameter != .unknown || parameter.isPreferred
      }
    }
    if left.count == 1 { return .one(left[0]) }

    // Open arguments: strings win, then the category that all agree on.
    for position in arguments.indices where arguments[position] == .unknown {
      let categories = Set(left.map { candidates[$0].parameter(position).category })
      let category: TypeCategory
      if categories.contains(.string) {
        category = .string
      } else if categories.count == 1, let only = categories.first {
        category = only
      } else {
        continue
      }
      var narrowed = left.filter { candidates[$0].parameter(position).category == category }
      let preferred = narrowed.filter { candidates[$0].parameter(position).isPreferred }
      if !preferred.isEmpty { narrowed = preferred }
      if !narrowed.isEmpty { left = narrowed }
    }
    if left.count == 1 { return .one(left[0]) }

    let known = Set(arguments.filter { $0 != .unknown })
    if known.count == 1, let type = known.first, arguments.contains(.unknown) {
      let assumed = arguments.map { _ in type }
      let matching = left.filter { index in
        arguments.indices.allSatisfy { accepts(candidates[index].parameter($0), type) }
          && unifies(candidates[index], assumed)
      }
      if matching.count == 1 { return .one(matching[0]) }
    }
    return .ambiguous
  }

  private static func best(_ indices: [Int], by score: (Int) -> Int) -> [Int] {
    let scores = indices.map(score)
    let greatest = scores.max() ?? 0
    return zip(indices, scores).filter { $0.1 == greatest }.map(\.0)
  }

  static func accepts(_ parameter: DataType, _ argument: DataType) -> Bool {
    if argument == .unknown || parameter == argument { return true }
    switch parameter {
    case .any, .anyelement: return true
    case .anyarray: if case .array = argument { return true } else { return false }
    case .anyenum: if case .enumeration = argument { return true } else { return false }
    case .anyrange: if case .range = argument { return true } else { return false }
    case .record: if case .composite = argument { return true }
    default: break
    }
    return Cast.find(from: argument, to: parameter)?.context == .implicit
  }

  /// Whether the polymorphic parameters agree on one type.
  private static func unifies(_ candidate: Candidate, _ arguments: [DataType]) -> Bool {
    elementType(candidate, arguments).agrees
  }

  /// The type that `anyelement` stands for in a call.
  static func elementType(_ candidate: Candidate, _ arguments: [DataType]) -> (type: DataType?, agrees: Bool)
  {
    var element: DataType?
    for (position, argument) in arguments.enumerated() where argument != .unknown {
      let found: DataType
      switch (candidate.parameter(position), argument) {
      case (.anyelement, _), (.anyenum, _): found = argument
      case (.anyrange, .range(let range)): found = range.element
      case (.anyarray, .array(let inner)): found = inner
      default: continue
      }
      guard let current = element else {
        element = found
        continue
      }
      if current == found { continue }
      if Cast.find(from: current, to: found)?.context == .implicit {
        element = found
      } else if Cast.find(from: found, to: current)?.context != .implicit {
        return (nil, false)
      }
    }
    return (element, true)
  }

  /// The range of an element, which no two ranges share.
  static func range(of element: DataType) -> DataType? {
    DataType.RangeType.allCases.first { $0.element == element }.map { .range($0) }
  }

  /// The type of `CASE`, `COALESCE`, `UNION` and so on (PostgreSQL documentation, 10.5), or the two that do not match.
  static func commonType(_ types: [DataType]) -> Result<DataType, Mismatch> {
    let known = types.filter { $0 != .unknown }
    guard var candidate = known.first else { return .success(.text) }
    for type in known.dropFirst() where type != candidate {
      guard type.category == candidate.category else { return .failure(Mismatch(candidate, type)) }
      let forward = Cast.find(from: candidate, to: type)?.context == .implicit
      let backward = Cast.find(from: type, to: candidate)?.context == .implicit
      if !candidate.isPreferred, forward, !backward {
        candidate = type
      } else if !forward, !backward {
        return .failure(Mismatch(candidate, type))
      }
    }
    return .success(candidate)
  }

  struct Mismatch: Error {
    var first: DataType
    var second: DataType

    init(_ first: DataType, _ second: DataType) {
      self.first = first
      self.second = second
    }
  }
}
