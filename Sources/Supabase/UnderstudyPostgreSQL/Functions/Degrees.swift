import Foundation

/// Trigonometry in degrees, exact at multiples of 30 and 45 (PostgreSQL documentation, table 9.7).
///
/// Results of the library are divided by its own result for the exact angle, as `float.c` does.
enum Degrees {
  private static let radians = 0.0174532925199432957692
  private static let sine30 = sin(30 * radians)
  private static let lessCosine60 = 1 - cos(60 * radians)
  private static let arcSineHalf = asin(0.5)
  private static let arcCosineHalf = acos(0.5)
  private static let tangent45 = sineOfQuadrant(45) / cosineOfQuadrant(45)
  private static let cotangent45 = cosineOfQuadrant(45) / sineOfQuadrant(45)

  private static func sineTo30(_ angle: Double) -> Double { sin(angle * radians) / sine30 / 2 }

  private static func cosineTo60(_ angle: Double) -> Double {
    1 - (1 - cos(angle * radians)) / lessCosine60 / 2
  }

  private static func sineOfQuadrant(_ angle: Double) -> Double {
    angle <= 30 ? sineTo30(angle) : cosineTo60(90 - angle)
  }

  private static func cosineOfQuadrant(_ angle: Double) -> Double {
    angle <= 60 ? cosineTo60(angle) : sineTo30(90 - angle)
  }

  /// The angle in the first quadrant, and whether it was negative, beyond 180 and beyond 90 degrees.
  private static func reduced(_ angle: Double) -> (
    angle: Double, isNegative: Bool, isThird: Bool, isSecond: Bool
  ) {
    var angle = angle.truncatingRemainder(dividingBy: 360)
    let isNegative = angle < 0
    if isNegative { angle = -angle }
    let isThird = angle > 180
    if isThird { angle = 360 - angle }
    let isSecond = angle > 90
    if isSecond { angle = 180 - angle }
    return (angle, isNegative, isThird, isSecond)
  }

  static func sine(_ angle: Double) -> Double {
    let place = reduced(angle)
    return (place.isNegative != place.isThird ? -1 : 1) * sineOfQuadrant(place.angle)
  }

  static func cosine(_ angle: Double) -> Double {
    let place = reduced(angle)
    return (place.isSecond ? -1 : 1) * cosineOfQuadrant(place.angle)
  }

  static func tangent(_ angle: Double) -> Double {
    let place = reduced(angle)
    let sign: Double = (place.isNegative != place.isThird) != place.isSecond ? -1 : 1
    let result = sign * (sineOfQuadrant(place.angle) / cosineOfQuadrant(place.angle) / tangent45)
    return result == 0 ? 0 : result
  }

  static func cotangent(_ angle: Double) -> Double {
    let place = reduced(angle)
    let sign: Double = (place.isNegative != place.isThird) != place.isSecond ? -1 : 1
    let result = sign * (cosineOfQuadrant(place.angle) / sineOfQuadrant(place.angle) / cotangent45)
    return result == 0 ? 0 : result
  }

  static func arcSine(_ value: Double) -> Double {
    if value < 0 { return -arcSine(-value) }
    return value <= 0.5 ? asin(value) / arcSineHalf * 30 : 90 - acos(value) / arcCosineHalf * 60
  }

  static func arcCosine(_ value: Double) -> Double {
    if value < 0 { return 90 + arcSine(-value) }
    return value <= 0.5 ? 90 - asin(value) / arcSineHalf * 30 : acos(value) / arcCosineHalf * 60
  }

  static func degrees(ofRadians radians: Double) -> Double { radians / atan(1) * 45 }
}
