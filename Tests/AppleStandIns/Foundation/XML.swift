// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// The parser of XML, which on Linux is in a module of its own. It parses nothing.

public import Foundation

/// <https://developer.apple.com/documentation/foundation/xmlparserdelegate>
public protocol XMLParserDelegate: AnyObject {
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String])
}

/// <https://developer.apple.com/documentation/foundation/xmlparser>
open class XMLParser: Foundation.NSObject {
  public init(data: Data) {}

  weak open var delegate: (any XMLParserDelegate)?
  open func parse() -> Bool { fatalError() }
}
