extension String {
  /// In lower case, character by character as the C library does: none becomes two.
  var simplyLowercased: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      // Of "İ" the dot is left out.
      text.unicodeScalars.append(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
    }
  }

  /// In upper case, character by character: "ß" stays.
  var simplyUppercased: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      let mapped = scalar.properties.uppercaseMapping.unicodeScalars
      text.unicodeScalars.append(mapped.count == 1 ? mapped.first ?? scalar : scalar)
    }
  }
}
