import Foundation
import UnderstudyHTTP

/// `/storage/v1/render/image`: images that are to be transformed.
///
/// Images of pixels are not supported. An SVG is what the service sends too: its renderer does not change the size of an
/// image that is SVG and stays so (`IMGPROXY_ALWAYS_RASTERIZE_SVG` of imgproxy is false by default).
extension StorageEndpoint {
  /// - Parameter path: The path below `/storage/v1/render/image`.
  func render(
    _ request: HTTP.Request, _ target: RequestTarget, _ path: [String]
  ) throws(StorageAPIError) -> HTTP.Response {
    guard [.get, .head].contains(request.method), path.count > 2 else { return Self.notFound(request) }
    let (bucket, name) = (path[1], Self.name(path.dropFirst(2)))
    let row: DatabaseRow
    var expiry: Date?
    switch path[0] {
    case "public": row = try publicObject(bucket, name)
    case "authenticated": row = try readable(bucket, name, try role(of: request))
    case "sign":
      expiry = try checkSignature(target, bucket, name)
      row = try object(bucket, name, as: .service)
    default: return Self.notFound(request)
    }
    let type = row["metadata"].jsonValue?["mimetype"]?.stringValue?.lowercased() ?? ""
    guard type.hasPrefix("image/svg+xml"), target["format"] ?? "origin" == "origin" else {
      throw .notSupported("the transformation of an image that is not SVG")
    }
    return try send(row, request, target, expiry: expiry)
  }

  /// Returns the transformation of a body in the form of the token of a signed URL (`applyTransformation` in `image.ts`);
  /// `nil` if nothing is to be transformed.
  static func transformation(in body: JSONValue) throws(StorageAPIError) -> String? {
    guard let transform = body["transform"] else { return nil }
    guard case .object = transform else { throw .invalidRequest("body/transform must be object") }
    var segments: [String] = []
    let sizes = ["height", "width"].compactMap { name in
      transform.storageInteger(name).map { "\(name):\(min(max($0, 1), 2_000))" }
    }
    segments += sizes
    if !sizes.isEmpty { segments.append("resize:\(transform["resize"]?.stringValue ?? "undefined")") }
    if let quality = transform.storageInteger("quality") { segments.append("quality:\(quality)") }
    if let format = transform["format"]?.stringValue, format != "origin" {
      segments.append("format:\(format)")
    }
    return segments.isEmpty ? nil : segments.joined(separator: ",")
  }
}
