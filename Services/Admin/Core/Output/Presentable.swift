/// Something a command shows: as JSON with the public names of the product's fields, or as a row of a table.
package protocol Presentable {
    static var headings: [String] { get }
    /// All fields; absent ones are null, so that every object of a kind has the same fields.
    var fields: [JSONValue.Field] { get }
    var row: [String] { get }
}
