/// What a session needs from outside.
package struct SessionEnvironment: Sendable {
  /// Microseconds since 2000-01-01 UTC.
  package var now: @Sendable () -> Int64
  package var random: @Sendable () -> UInt64
  package var collation: Collation
  package var isCancelled: @Sendable () -> Bool
  /// The plans of earlier sessions over the same definitions.
  package var plans: (any StatementPlanStore)?

  package init(
    now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64,
    collation: Collation = .unicode, plans: (any StatementPlanStore)? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    self.now = now
    self.random = random
    self.collation = collation
    self.plans = plans
    self.isCancelled = isCancelled
  }
}

/// The result of a statement.
package struct StatementResult: Sendable {
  package struct Column: Sendable {
    package var name: String
    package var type: BoundType
  }

  package var columns: [Column] = []
  package var rows: [Row] = []
  /// How many rows it changed, or returned if it changed none.
  package var affected = 0
  /// What the statement ignored, for the list of what a schema asks for in vain.
  package var ignored: String?
}

extension StatementResult {
  /// Runs a plan with the frame around it.
  init(_ plan: QueryPlan, _ frame: Frame) throws(PostgreSQLError) {
    columns = plan.columns.map { Column(name: $0.name, type: $0.type) }
    rows = try plan.rows(frame, frame.execution)
    affected = plan.isModifying ? frame.execution.affected : rows.count
  }
}

/// Runs statements against a state, with the rights of a role.
///
/// It is not shared between threads. Its owner makes it of a copy of the state, and keeps the changed state if the
/// statements succeeded.
package final class Session: FunctionContext {
  package let patterns = PatternCache()
  package internal(set) var state: State
  private let environment: SessionEnvironment
  /// Whose privileges and policies apply; a function with the rights of its owner changes it while it runs.
  package internal(set) var role: String
  var path: [String]
  /// The schemas of `RESET search_path`.
  private let ownPath: [String]
  var settings: [String: String] = [:]
  /// What `SET LOCAL` and `set_config(…, true)` changed: the values before.
  private var localSettings: [String: String?] = [:]
  private var startOfTransaction: Int64
  package private(set) var statementTime: Int64
  /// The sequence that `nextval` advanced last, and its value.
  private var lastSequence: (name: QualifiedName, value: Int64)?
  /// Whether a statement asked for `now()` or another time.
  package internal(set) var hasReadTime = false
  package internal(set) var timeZone: TimeZoneRule
  /// Whether statements may only read (`SET TRANSACTION READ ONLY`).
  package var isReadOnly = false
  /// Changes of rows whose foreign keys and triggers wait.
  var pending: [RowChange] = []
  /// Changes of rows whose foreign keys wait for the end of the transaction.
  var deferred: [RowChange] = []
  /// The rows that the transaction changed, in order, for those who follow changes.
  package private(set) var changes: [ObservedChange] = []
  /// What `RAISE NOTICE` said.
  package internal(set) var notices: [String] = []
  /// The plans of the statements of functions, until definitions change.
  var plans = RoutinePlans()
  /// How many functions are called within each other.
  var callDepth = 0
  /// Saved states by the names of savepoints.
  private var savepoints: [(name: String, state: State)] = []
  private var begun: State?

  /// A row before and after a change.
  package struct ObservedChange: Sendable {
    package var table: QualifiedName
    package var old: Row?
    package var new: Row?
  }

  package init(
    _ state: State, role: String = Catalogue.owner, path: [String] = ["public", "extensions"],
    settings: [String: String] = [:], timeZone: TimeZoneRule = .fixed(seconds: 0),
    environment: SessionEnvironment
  ) {
    self.state = state
    self.role = role
    self.path = path
    ownPath = path
    self.settings = settings
    self.timeZone = timeZone
    self.environment = environment
    startOfTransaction = environment.now()
    statementTime = startOfTransaction
  }

  // MARK: - Statements

  /// Runs a statement as a whole: an error changes nothing, except sequences.
  package func run(_ statement: Statement) throws(PostgreSQLError) -> StatementResult {
    if begun == nil { startOfTransaction = environment.now() }
    statementTime = begun == nil ? startOfTransaction : environment.now()
    let before = (state, changes.count)
    do throws(PostgreSQLError) {
      let result = try execute(statement)
      if begun == nil { try checkDeferred() }
      return result
    } catch {
      restore(before.0)
      changes.removeSubrange(before.1...)
      pending.removeAll()
      if begun == nil { deferred.removeAll() }
      throw error
    }
  }

  /// Goes back to a state; the numbers of sequences stay given.
  func restore(_ saved: State) {
    let undone = state
    state = saved
    state.keepNumbers(of: undone)
  }

  func execute(_ statement: Statement) throws(PostgreSQLError) -> StatementResult {
    switch statement {
    case .data(let data): return try run(data)
    case .begin: begun = begun ?? state
    case .commit:
      try checkDeferred()
      begun = nil
      savepoints.removeAll()
      endLocalSettings()
    case .rollback:
      if let begun { restore(begun) }
      begun = nil
      savepoints.removeAll()
      changes.removeAll()
      deferred.removeAll()
      endLocalSettings()
    case .savepoint(let name): savepoints.append((name, state))
    case .releaseSavepoint(let name): try savepoints.removeSubrange(savepoint(name)...)
    case .rollbackToSavepoint(let name):
      let index = try savepoint(name)
      restore(savepoints[index].state)
      savepoints.removeSubrange((index + 1)...)
    case .set(let name, let values, let isLocal):
      if let values {
        let value = try TimeZoneRule.checked(values.joined(separator: ", "), ofSetting: name)
        set(name, to: value, isLocal: isLocal)
      } else if name == "all" {
        resetSettings()
      } else {
        settings[Self.settingKey(name)] = nil
        if name.lowercased() == "timezone" { timeZone = .utc }
        if name == "search_path" { path = ownPath }
      }
    case .setRole(let name, _): role = name ?? Catalogue.owner
    case .show(let name):
      return StatementResult(
        columns: [StatementResult.Column(name: name, type: BoundType(.text))],
        rows: [[setting(name).map(Value.text) ?? .null]], affected: 1)
    case .call(let call):
      return try run(.query(Query(.select(Select([Select.Item(.call(call))])))))
    case .doBlock(let source, let language): try runBlock(source, language: language)
    case .ignored(let what):
      var result = StatementResult()
      result.ignored = what
      return result
    default: return try define(statement)
    }
    return StatementResult()
  }

  /// Whether a statement began a transaction that has not ended.
  package var isInTransaction: Bool { begun != nil }

  private func savepoint(_ name: String) throws(PostgreSQLError) -> Int {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else {
      throw PostgreSQLError("3B001", "savepoint \"\(name)\" does not exist")
    }
    return index
  }

  /// Runs a statement that reads or changes rows.
  func run(_ statement: DataStatement) throws(PostgreSQLError) -> StatementResult {
    let plan = try plan(of: statement)
    let execution = Execution(self)
    let frame = Frame(relations: 0, parent: nil, execution: execution)
    return try StatementResult(plan, frame)
  }

  /// Gives every setting its default, as `RESET ALL` does; the role stays.
  package func resetSettings() {
    settings.removeAll()
    timeZone = .utc
    path = ownPath
  }

  func binder() -> Binder { Binder(catalogue: state.catalogue, path: path, role: role, context: self) }

  /// A binder for what definitions contain, which every role may evaluate.
  func ownersBinder() -> Binder {
    Binder(catalogue: state.catalogue, path: path, role: Catalogue.owner, context: self)
  }

  /// What writes the rows of a table, for the definitions of now.
  func writer(for table: QualifiedName) throws(PostgreSQLError) -> TableWriter {
    if state.writersVersion != state.catalogue.version {
      state.writers.removeAll()
      state.writersVersion = state.catalogue.version
    }
    if let writer = state.writers[table] { return writer }
    guard let described = state.catalogue.tables[table] else { throw Catalogue.noRelation(table) }
    let binder = ownersBinder()
    binder.isOfTable = true
    let writer = try TableWriter(described, binder)
    state.writers[table] = writer
    return writer
  }

  /// Whether policies restrict the role in a table, so that messages must not show values.
  func isRestricted(by table: Table) -> Bool {
    table.isSecured && role != Catalogue.owner && state.catalogue.roles[role]?.bypassesPolicies != true
  }

  func isDeferred(_ key: ForeignKey) -> Bool { key.isInitiallyDeferred }

  /// Tests the foreign keys that waited for the end of the transaction.
  private func checkDeferred() throws(PostgreSQLError) {
    defer { deferred.removeAll() }
    for change in deferred {
      let writer = try writer(for: change.table)
      guard let new = change.new else { continue }
      // A row that was removed or changed since then has been tested again.
      var isThere = false
      try state.data[change.table]?.heap.forEach { _, row throws(PostgreSQLError) in
        isThere = row == new
        return !isThere
      }
      guard isThere else { continue }
      for key in writer.outgoing { try checkReference(key, new, writer) }
    }
  }

  func forgetObserved(_ count: Int) { changes.removeSubrange(min(count, changes.count)...) }

  func observe(_ change: RowChange) {
    changes.append(ObservedChange(table: change.table, old: change.old, new: change.new))
  }

  /// The changes since the last call.
  package func takeChanges() -> [ObservedChange] {
    defer { changes.removeAll() }
    return changes
  }

  func checkCancellation() throws(PostgreSQLError) {
    if environment.isCancelled() {
      throw PostgreSQLError("57014", "canceling statement due to user request")
    }
  }

  /// Refuses a statement that writes, in a transaction that may only read.
  func requireWritable(_ statement: String) throws(PostgreSQLError) {
    guard isReadOnly else { return }
    throw PostgreSQLError("25006", "cannot execute \(statement) in a read-only transaction")
  }

  // MARK: - Settings

  package var transactionTime: Int64 {
    hasReadTime = true
    return startOfTransaction
  }

  package var collation: Collation { environment.collation }
  var plansOfOthers: (any StatementPlanStore)? { environment.plans }
  package var clockTime: Int64 {
    hasReadTime = true
    return environment.now()
  }
  package func random() -> UInt64 { environment.random() }
  package var currentUser: String { role }

  package func setting(_ name: String) -> String? {
    let name = Self.settingKey(name)
    if let value = settings[name] { return value }
    switch name {
    case "search_path": return path.joined(separator: ", ")
    case "role": return role
    case "timezone": return timeZone.name
    case "server_version": return "15.8"
    default: return nil
    }
  }

  /// The key of a setting, which is spelled `TimeZone` or `timezone`.
  private static func settingKey(_ name: String) -> String {
    name.lowercased() == "timezone" ? "timezone" : name
  }

  package func set(_ name: String, to value: String, isLocal: Bool) {
    let name = Self.settingKey(name)
    if isLocal, localSettings[name] == nil { localSettings[name] = .some(settings[name]) }
    switch name {
    case "search_path":
      path = Self.schemas(value)
    case "role": role = value == "none" ? Catalogue.owner : value
    case "timezone": timeZone = (try? TimeZoneRule.setting(value).rule) ?? timeZone
    default: break
    }
    settings[name] = value
  }

  private static func schemas(_ path: String) -> [String] {
    path.split(separator: ",").map { String($0).trimmingSpaces.trimmingQuotes }
  }

  private func endLocalSettings() {
    for (name, value) in localSettings {
      settings[name] = value
      if name == "timezone" {
        timeZone = value.flatMap { try? TimeZoneRule.setting($0).rule } ?? .utc
      }
      if name == "search_path" { path = value.map(Self.schemas) ?? ownPath }
    }
    localSettings.removeAll()
  }

  // MARK: - Sequences

  package func nextValue(of name: String) throws(PostgreSQLError) -> Int64 {
    try requireWritable("nextval()")
    let (name, sequence) = try sequence(name, for: [.usage, .update])
    return try advance(name, sequence)
  }

  /// The next value of the sequence of an identity column, to which no role needs a right.
  func nextIdentity(of name: QualifiedName) throws(PostgreSQLError) -> Int64 {
    guard let sequence = state.sequences[name] else { throw Catalogue.noRelation(name) }
    return try advance(name, sequence)
  }

  private func advance(
    _ name: QualifiedName, _ sequence: SequenceNumbers
  ) throws(PostgreSQLError) -> Int64 {
    var next = sequence
    guard let value = next.next() else {
      throw PostgreSQLError(
        "2200H",
        "nextval: reached \(sequence.increment > 0 ? "maximum" : "minimum") value of sequence \"\(name.name)\""
          + " (\(sequence.increment > 0 ? sequence.maximum : sequence.minimum))")
    }
    state.sequences[name] = next
    lastSequence = (name, value)
    return value
  }

  package func lastValue() throws(PostgreSQLError) -> Int64 {
    guard let (name, value) = lastSequence, state.sequences[name] != nil else {
      throw PostgreSQLError("55000", "lastval is not yet defined in this session")
    }
    return value
  }

  package func currentValue(of name: String) throws(PostgreSQLError) -> Int64 {
    let (name, sequence) = try sequence(name, for: [.usage, .select])
    guard sequence.isCalled else {
      throw PostgreSQLError(
        "55000", "currval of sequence \"\(name.name)\" is not yet defined in this session")
    }
    return sequence.value
  }

  package func setValue(of name: String, to value: Int64, isCalled: Bool) throws(PostgreSQLError) {
    try requireWritable("setval()")
    var (name, sequence) = try sequence(name, for: [.update])
    guard (sequence.minimum...sequence.maximum).contains(value) else {
      throw PostgreSQLError(
        "22003",
        "setval: value \(value) is out of bounds for sequence \"\(name.name)\" (\(sequence.minimum)..\(sequence.maximum))"
      )
    }
    sequence.value = value
    sequence.isCalled = isCalled
    state.sequences[name] = sequence
    if isCalled, lastSequence?.name == name { lastSequence = (name, value) }
  }

  /// - Parameter kinds: The rights of which the role needs one (PostgreSQL documentation, 9.17).
  private func sequence(
    _ written: String, for kinds: [SequencePrivilege.Kind]
  ) throws(PostgreSQLError) -> (QualifiedName, SequenceNumbers) {
    let name = QualifiedName(written: written)
    guard let whole = state.catalogue.sequence(name, path), let sequence = state.sequences[whole] else {
      throw Catalogue.noRelation(name)
    }
    let granted = state.catalogue.sequencePrivileges[whole] ?? []
    guard
      role == Catalogue.owner
        || kinds.contains(where: { kind in
          [role, "public"].contains { granted.contains(SequencePrivilege(role: $0, kind: kind)) }
        })
    else { throw PostgreSQLError("42501", "permission denied for sequence \(whole.name)") }
    return (whole, sequence)
  }

  // MARK: - Types

  package func labels(of enumeration: QualifiedName) throws(PostgreSQLError) -> [(name: String, order: Float)]
  {
    guard let found = state.catalogue.enumerations[enumeration] else {
      throw PostgreSQLError("42704", "type \"\(enumeration)\" does not exist")
    }
    return found.labels.map { ($0.name, $0.order) }
  }

  package func columns(of composite: QualifiedName) throws(PostgreSQLError) -> [(
    name: String, type: DataType
  )] {
    guard let columns = state.catalogue.columns(of: composite) else {
      throw PostgreSQLError("42704", "type \"\(composite)\" does not exist")
    }
    return columns.map { ($0.name, $0.type) }
  }

  package func base(of domain: QualifiedName) throws(PostgreSQLError) -> DataType {
    guard let found = state.catalogue.domains[domain] else {
      throw PostgreSQLError("42704", "type \"\(domain)\" does not exist")
    }
    return state.catalogue.base(of: found.base)
  }
}

/// The numbers of a sequence.
package struct SequenceNumbers: Sendable {
  package var value: Int64
  package var isCalled = false
  package var increment: Int64 = 1
  package var minimum: Int64 = 1
  package var maximum: Int64 = .max
  package var start: Int64 = 1
  package var cycles = false

  package init(start: Int64 = 1) {
    self.start = start
    value = start
  }

  /// The next value, or nil at the end.
  mutating func next() -> Int64? {
    guard isCalled else {
      isCalled = true
      return value
    }
    let (sum, overflow) = value.addingReportingOverflow(increment)
    if !overflow, (minimum...maximum).contains(sum) {
      value = sum
      return value
    }
    guard cycles else { return nil }
    value = increment > 0 ? minimum : maximum
    return value
  }
}

extension String {
  /// The longest beginning of whole code points that has at most so many bytes.
  func prefix(bytes count: Int) -> String {
    var end = utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) ?? utf8.endIndex
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end])
  }

  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  var trimmingQuotes: String {
    count > 1 && (hasPrefix("\"") && hasSuffix("\"") || hasPrefix("'") && hasSuffix("'"))
      ? String(dropFirst().dropLast()) : self
  }

  /// The parts of `schema."Name"`, with the case that PostgreSQL gives them.
  var splitQualifiedName: [String] {
    var parts = [""]
    var isQuoted = false
    for character in self {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == ".", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1] += isQuoted ? String(character) : character.lowercased()
      }
    }
    return parts
  }
}

extension QualifiedName {
  /// The name that a text such as `public."Things"` means.
  init(written text: String) {
    let parts = text.splitQualifiedName
    self = parts.count > 1 ? QualifiedName(schema: parts[0], parts[1]) : QualifiedName(parts[0])
  }
}
