public import Foundation

/// The exchanges of the shared services, as the documents of this folder.
///
/// The documents are part of the code, so that there is nothing to be found at run time.
public enum ExchangeDocuments {
  /// The document of the children service.
  public static var children: Data { Data(PackageResources.children_json) }
  /// The document of the authentication service.
  public static var authentication: Data { Data(PackageResources.authentication_json) }
  /// The document of the conversation service.
  public static var conversations: Data { Data(PackageResources.conversations_json) }
  /// The document of the client of the forum.
  public static var forum: Data { Data(PackageResources.forum_json) }
  /// The document of the message history.
  public static var messages: Data { Data(PackageResources.messages_json) }
  /// Every document, by its name.
  public static var all: [(name: String, document: Data)] {
    [
      ("authentication", authentication), ("children", children), ("conversations", conversations),
      ("forum", forum), ("messages", messages),
    ]
  }
  /// The JSON Schema of the documents (draft 2020-12).
  public static var schema: Data { Data(PackageResources.exchanges_schema_json) }
  /// The tables that the services stand on, as PostgreSQL's DDL.
  public static var tables: Data { Data(PackageResources.schema_sql) }
}
