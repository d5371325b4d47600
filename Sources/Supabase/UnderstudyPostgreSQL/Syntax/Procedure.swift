/// The body of a function in PL/pgSQL (PostgreSQL documentation, 43).
package enum Procedure {
  package struct Block: Hashable, Sendable {
    package var label: String?
    package var declarations: [Declaration]
    package var statements: [Statement]
    package var handlers: [Handler]
    /// What a name means that a variable and a column have, in the outermost block.
    package var conflict = VariableConflict.error

    package init(
      label: String? = nil, declarations: [Declaration] = [], _ statements: [Statement],
      handlers: [Handler] = []
    ) {
      self.label = label
      self.declarations = declarations
      self.statements = statements
      self.handlers = handlers
    }
  }

  package enum Declaration: Hashable, Sendable {
    case variable(Variable)
    /// `name ALIAS FOR $1`, or for another variable.
    case alias(String, of: String)
    case cursor(String, Query)
  }

  package struct Variable: Hashable, Sendable {
    package var name: String
    package var type: TypeName
    package var isConstant: Bool
    package var isNotNull: Bool
    package var initial: SQLExpression?

    package init(
      _ name: String, _ type: TypeName, isConstant: Bool = false, isNotNull: Bool = false,
      initial: SQLExpression? = nil
    ) {
      self.name = name
      self.type = type
      self.isConstant = isConstant
      self.isNotNull = isNotNull
      self.initial = initial
    }
  }

  /// `#variable_conflict` (PostgreSQL documentation, 43.11.1).
  package enum VariableConflict: String, Hashable, Sendable {
    case error
    case useVariable = "use_variable"
    case useColumn = "use_column"
  }

  package struct Handler: Hashable, Sendable {
    /// Names such as `unique_violation` and `others`, and codes after `SQLSTATE`.
    package var conditions: [String]
    package var statements: [Statement]

    package init(_ conditions: [String], _ statements: [Statement]) {
      self.conditions = conditions
      self.statements = statements
    }
  }

  /// Where a result goes: variables, or fields of records (`new.name`).
  package typealias Target = [String]

  package struct Into: Hashable, Sendable {
    package var targets: [Target]
    package var isStrict: Bool

    package init(_ targets: [Target], isStrict: Bool = false) {
      self.targets = targets
      self.isStrict = isStrict
    }
  }

  package struct Branch: Hashable, Sendable {
    package var condition: SQLExpression
    package var statements: [Statement]

    package init(_ condition: SQLExpression, _ statements: [Statement]) {
      self.condition = condition
      self.statements = statements
    }
  }

  package indirect enum Statement: Hashable, Sendable {
    case block(Block)
    case assign(Target, path: [Assignment.Step], SQLExpression)
    /// A statement of SQL. `PERFORM` is a query whose rows are forgotten.
    case sql(DataStatement, into: Into?)
    /// Another statement of SQL, such as `CREATE TABLE`, `CALL` or `SET`.
    case other(UnderstudyPostgreSQL.Statement)
    case execute(SQLExpression, into: Into?, using: [SQLExpression])
    case conditional([Branch], otherwise: [Statement])
    /// `CASE`. Each branch of one with an operand has a list of values. Nil: no `ELSE`, and no match is an error.
    case selection(operand: SQLExpression?, [Selected], otherwise: [Statement]?)
    case loop(Loop, label: String?, [Statement])
    case exit(label: String?, when: SQLExpression?)
    case next(label: String?, when: SQLExpression?)
    case returnValue(SQLExpression?)
    case returnNext(SQLExpression?)
    case returnQuery(DataStatement)
    case returnExecute(SQLExpression, using: [SQLExpression])
    case raise(Raise)
    case assert(SQLExpression, message: SQLExpression?)
    /// The names of items, such as `row_count`, and where they go.
    case getDiagnostics([Diagnostic], isStacked: Bool)
    case nothing
  }

  /// A branch of `CASE`.
  package struct Selected: Hashable, Sendable {
    package var values: [SQLExpression]
    package var statements: [Statement]

    package init(_ values: [SQLExpression], _ statements: [Statement]) {
      self.values = values
      self.statements = statements
    }
  }

  package struct Diagnostic: Hashable, Sendable {
    package var target: Target
    package var item: String

    package init(_ target: Target, _ item: String) {
      self.target = target
      self.item = item
    }
  }

  package enum Loop: Hashable, Sendable {
    case forever
    case whileTrue(SQLExpression)
    case range(variable: String, from: SQLExpression, to: SQLExpression, by: SQLExpression?, isReverse: Bool)
    case query([Target], DataStatement)
    case execute([Target], SQLExpression, using: [SQLExpression])
    case elements(Target, slice: Int, of: SQLExpression)
  }

  package struct Raise: Hashable, Sendable {
    package enum Level: String, Hashable, Sendable { case debug, log, info, notice, warning, exception }

    package var level: Level
    /// Nil of `RAISE` alone, which raises the error again, and of `RAISE name` or `RAISE SQLSTATE`.
    package var format: String?
    package var arguments: [SQLExpression]
    /// The name or the code of an error.
    package var condition: String?
    /// `USING errcode = …, message = …`.
    package var options: [Option]

    package struct Option: Hashable, Sendable {
      package var name: String
      package var value: SQLExpression

      package init(_ name: String, _ value: SQLExpression) {
        self.name = name
        self.value = value
      }
    }

    package init(
      _ level: Level = .exception, format: String? = nil, arguments: [SQLExpression] = [],
      condition: String? = nil,
      options: [Option] = []
    ) {
      self.level = level
      self.format = format
      self.arguments = arguments
      self.condition = condition
      self.options = options
    }
  }
}
