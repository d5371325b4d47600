/// Texts without diacritics, as in the extension unaccent with its standard rules (PostgreSQL documentation, F.48).
///
/// The rules here are those of the Latin alphabets; other scripts stay unchanged.
extension Function {
  static let accents: [Function] = [
    Function("unaccent", [.text], returns: .text, .stable, .scalar { a, _ in .text(unaccented(a.text(0))) }),
    // The first argument names the dictionary.
    Function(
      "unaccent", [.text, .text], returns: .text, .stable,
      .scalar { a, _ in .text(unaccented(a.text(1))) }),
  ]

  private static func unaccented(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      // A combining mark goes, with whatever letter it is written.
      if ("\u{300}"..."\u{36F}").contains(scalar) { continue }
      if let plain = plainLetters[scalar] { result.append(contentsOf: plain) } else { result.append(scalar) }
    }
    return String(result)
  }

  private static let plainLetters: [Unicode.Scalar: String.UnicodeScalarView] = {
    var letters: [Unicode.Scalar: String.UnicodeScalarView] = [:]
    for (plain, accented) in accentedLetters {
      for scalar in accented.unicodeScalars { letters[scalar] = plain.unicodeScalars }
    }
    return letters
  }()

  /// What each letter is written for.
  private static let accentedLetters: KeyValuePairs = [
    "A": "ÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ",
    "B": "ḂḄḆ",
    "C": "ÇĆĈĊČḈ",
    "D": "ĎḊḌḎḐḒĐÐ",
    "E": "ÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ",
    "F": "Ḟ",
    "G": "ĜĞĠĢǦǴḠ",
    "H": "ĤȞḢḤḦḨḪĦ",
    "I": "ÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ",
    "J": "Ĵ",
    "K": "ĶǨḰḲḴ",
    "L": "ĹĻĽḶḸḺḼŁ",
    "M": "ḾṀṂ",
    "N": "ÑŃŅŇǸṄṆṈṊŊ",
    "O": "ÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢØ",
    "P": "ṔṖ",
    "R": "ŔŖŘȐȒṘṚṜṞ",
    "S": "ŚŜŞŠȘṠṢṤṦṨ",
    "T": "ŢŤȚṪṬṮṰŦ",
    "U": "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ",
    "V": "ṼṾ",
    "W": "ŴẀẂẄẆẈ",
    "X": "ẊẌ",
    "Y": "ÝŶŸȲẎỲỴỶỸ",
    "Z": "ŹŻŽẐẒẔ",
    "a": "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ",
    "b": "ḃḅḇ",
    "c": "çćĉċčḉ",
    "d": "ďḋḍḏḑḓđð",
    "e": "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ",
    "f": "ḟ",
    "g": "ĝğġģǧǵḡ",
    "h": "ĥȟḣḥḧḩḫẖħ",
    "i": "ìíîïĩīĭįǐȉȋḭḯỉịı",
    "j": "ĵǰ",
    "k": "ķǩḱḳḵ",
    "l": "ĺļľḷḹḻḽł",
    "m": "ḿṁṃ",
    "n": "ñńņňǹṅṇṉṋŋ",
    "o": "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợø",
    "p": "ṕṗ",
    "r": "ŕŗřȑȓṙṛṝṟ",
    "s": "śŝşšșṡṣṥṧṩ",
    "t": "ţťțṫṭṯṱẗŧ",
    "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự",
    "v": "ṽṿ",
    "w": "ŵẁẃẅẇẉẘ",
    "x": "ẋẍ",
    "y": "ýÿŷȳẏẙỳỵỷỹ",
    "z": "źżžẑẓẕ",
    "AE": "Æ", "ae": "æ", "IJ": "Ĳ", "ij": "ĳ", "OE": "Œ", "oe": "œ", "SS": "ẞ", "ss": "ß", "TH": "Þ",
    "th": "þ",
    "'": "‘’", "\"": "“”", "-": "‐‑–", "...": "…",
  ]
}
