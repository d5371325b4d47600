extension Binder {
  /// The new value of a column or a variable of which a statement sets a part: `a[1] = …`, `a.b = …`, `a['key'] = …`.
  func part(_ assignment: Assignment, _ current: Bound, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    try part(assignment.path[...], assignment.value, current, scope)
  }

  private func part(
    _ path: ArraySlice<Assignment.Step>, _ value: SQLExpression, _ current: Bound, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    guard let step = path.first else { return try bind(value, scope) }
    let rest = path.dropFirst()
    let whole = current.evaluate
    switch (step, catalogue.base(of: current.type.type)) {
    case (.field(let name), .composite), (.field(let name), .record):
      guard let index = current.type.fields.firstIndex(where: { $0.name == name }),
        let field = field(of: current, named: name)
      else {
        throw PostgreSQLError(
          "42703",
          "cannot assign to field \"\(name)\" of column because there is no such column in its data type")
      }
      let count = current.type.fields.count
      let new = try coerce(part(rest, value, field, scope), to: field.type.type, .assignment).evaluate
      return Bound(current.type, uses: current.uses) { frame throws(PostgreSQLError) in
        var fields: Row = Array(repeating: .null, count: count)
        if case .record(let old) = try whole(frame) { fields = old }
        fields[index] = try new(frame)
        return .record(fields)
      }
    case (.element(let index), .jsonb):
      guard let lower = index.lower, !index.isSlice else { break }
      let bound = try bind(lower, scope)
      let isText = bound.isUnknown || bound.type.type == .text
      let key = try coerce(bound, to: isText ? .text : .integer).evaluate
      let element = Bound(BoundType(.jsonb), uses: current.uses) { frame throws(PostgreSQLError) in
        guard case .jsonb(let document) = try whole(frame) else { return .null }
        switch try key(frame) {
        case .text(let name): return document.element(name).map(Value.jsonb) ?? .null
        case .integer(let position):
          return document.element(Int(clamping: position)).map(Value.jsonb) ?? .null
        default: return .null
        }
      }
      let new = try coerce(part(rest, value, element, scope), to: .jsonb, .assignment).evaluate
      return Bound(BoundType(.jsonb), uses: current.uses) { frame throws(PostgreSQLError) in
        var document: JSONB?
        if case .jsonb(let old) = try whole(frame) { document = old }
        var inserted = JSONB.null
        if case .jsonb(let value) = try new(frame) { inserted = value }
        let path: String
        switch try key(frame) {
        case .text(let name): path = name
        case .integer(let position): path = String(position)
        default: throw PostgreSQLError("22004", "jsonb subscript in assignment must not be null")
        }
        return .jsonb(try JSONB.setting(inserted, at: [path], in: document, isFirstNumber: !isText))
      }
    case (.element(let index), .array(let element)):
      guard let lower = index.lower, !index.isSlice, rest.isEmpty else { break }
      let position = try coerce(bind(lower, scope), to: .integer, .assignment).evaluate
      let new = try coerce(bind(value, scope), to: element, .assignment).evaluate
      return Bound(current.type, uses: current.uses) { frame throws(PostgreSQLError) in
        var array = ArrayValue([])
        if case .array(let old) = try whole(frame) { array = old }
        guard case .integer(let place) = try position(frame) else {
          throw PostgreSQLError("22004", "array subscript in assignment must not be null")
        }
        try array.set(Int(clamping: place), to: try new(frame))
        return .array(array)
      }
    default: break
    }
    throw PostgreSQLError.notSupported(
      "assigning to a part of a value of type \(name(of: current.type.type))")
  }
}

extension ArrayValue {
  /// Sets an element of an array of one dimension, which grows as needed (8.15.4).
  mutating func set(_ index: Int, to value: Value) throws(PostgreSQLError) {
    guard dimensions.count <= 1 else {
      throw PostgreSQLError("2202E", "wrong number of array subscripts")
    }
    let lower = dimensions.first?.lowerBound ?? index
    let offset = index.subtractingReportingOverflow(lower)
    // PostgreSQL limits the size of an array, too (MaxArraySize).
    guard !offset.overflow, abs(offset.partialValue) < 1 << 24 else {
      throw PostgreSQLError("54000", "array size exceeds the maximum allowed (134217727)")
    }
    if offset.partialValue < 0 {
      elements = [value] + Array(repeating: .null, count: -offset.partialValue - 1) + elements
      dimensions = [Dimension(lowerBound: index, count: elements.count)]
    } else if offset.partialValue >= elements.count {
      elements += Array(repeating: .null, count: offset.partialValue - elements.count)
      elements.append(value)
      dimensions = [Dimension(lowerBound: lower, count: elements.count)]
    } else {
      elements[offset.partialValue] = value
    }
  }
}
