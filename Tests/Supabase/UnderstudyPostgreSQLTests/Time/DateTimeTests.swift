import Testing

@testable import UnderstudyPostgreSQL

@Suite struct DateTimeTests {
  private func text(_ text: String, _ type: DataType, _ session: TestSession = TestSession()) throws -> String
  {
    try type.text(of: type.value(from: text, context: session), context: session)
  }

  @Test(arguments: [
    ("2024-02-29", "2024-02-29"), ("January 8, 1999", "1999-01-08"), ("20240203", "2024-02-03"),
    ("0044-03-15 BC", "0044-03-15 BC"), ("infinity", "infinity"), ("epoch", "1970-01-01"),
    ("today", "2024-05-17"),
    ("tomorrow", "2024-05-18"), ("yesterday", "2024-05-16"), ("now", "2024-05-17"),
    ("12345-06-07", "12345-06-07"),
  ])
  func datesAreRead(_ input: String, _ expected: String) throws {
    #expect(try text(input, .date) == expected)
  }

  @Test func errorsHaveTheCodesOfPostgreSQL() {
    let session = TestSession()
    for (input, code) in [("2023-02-29", "22008"), ("2024-13-01", "22008"), ("x", "22007"), ("", "22007")] {
      let error = #expect(throws: PostgreSQLError.self) {
        try DataType.date.value(from: input, context: session)
      }
      #expect(error?.code == code)
    }
    let error = #expect(throws: PostgreSQLError.self) {
      try DataType.timestamptz.value(from: "2024-01-01 10:00 Nowhere/City", context: session)
    }
    #expect(error?.message == "time zone \"nowhere/city\" not recognized")
  }

  @Test func clocksThatAreSetForwardAndBack() throws {
    let session = TestSession(timeZone: .named("America/New_York"))
    // The first is skipped by the clocks, the second is shown twice.
    #expect(try text("2024-03-10 02:30", .timestamptz, session) == "2024-03-10 03:30:00-04")
    #expect(try text("2024-11-03 01:30", .timestamptz, session) == "2024-11-03 01:30:00-05")
    #expect(try text("now", .timestamptz, session) == "2024-05-17 09:45:30.123456-04")
  }

  @Test(arguments: [
    ("1 year 2 months 3 days 04:05:06.789", "1 year 2 mons 3 days 04:05:06.789"),
    ("P1Y2M3DT4H5M6S", "1 year 2 mons 3 days 04:05:06"),
    ("-1 day +10:20", "-1 days +10:20:00"), ("1.5 months", "1 mon 15 days"), ("1 week ago", "-7 days"),
    ("0", "00:00:00"),
  ])
  func intervalsAreRead(_ input: String, _ expected: String) throws {
    #expect(try text(input, .interval) == expected)
  }

  @Test func monthsEndInTheirLastDay() throws {
    let session = TestSession()
    let date = try DataType.timestamp.value(from: "2024-01-31", context: session).asTimestamp
    #expect(DateTimeText.timestamp(try Moments.add(date, Interval(months: 1))) == "2024-02-29 00:00:00")
    #expect(
      DateTimeText.interval(try Moments.age(date, Moments.add(date, Interval(months: 13))))
        == "-1 years -28 days")
  }

  @Test func daysAndDatesAreInverse() {
    for days in stride(from: -2_451_545, to: 3_000_000, by: 997) {
      let (year, month, day) = CivilCalendar.date(days: days)
      #expect(CivilCalendar.days(year: year, month: month, day: day) == days)
    }
  }

  @Test func templatesWriteAndRead() throws {
    let session = TestSession()
    let moment = try DataType.timestamp.value(from: "2024-02-29 13:05:06.5", context: session).asTimestamp
    let shown = DateTemplate.Moment(timestamp: moment)
    #expect(
      try DateTemplate("FMDay, DDth Mon YYYY HH12:MI AM").text(of: shown)
        == "Thursday, 29th Feb 2024 01:05 PM")
    let read = try DateTemplate("DD Month YYYY").read("29 february 2024").civil
    #expect((read.year, read.month, read.day) == (2024, 2, 29))
    let error = #expect(throws: PostgreSQLError.self) { try DateTemplate("YYYY-MM-DD").read("2024-13-01") }
    #expect(error?.code == "22008")
  }

  @Test func numbersFollowTheirTemplates() throws {
    func write(_ digits: String, _ isNegative: Bool, _ template: String) throws -> String {
      try NumberTemplate(template).text(
        digits: digits, integral: digits.prefix { $0 != "." }.count, isNegative: isNegative)
    }
    #expect(try write("1234.50", false, "9,999.99") == " 1,234.50")
    #expect(try write("0.50", true, "FM990.00") == "-0.50")
    #expect(try NumberTemplate("9,999.99").read("1,234.5").text == "1234.50")
  }
}
