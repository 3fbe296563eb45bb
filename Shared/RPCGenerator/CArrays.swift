/// The elements of a repeated message field.
func array<C>(
    _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<C>?>?, _ count: Int
) -> [UnsafeMutablePointer<C>] {
    UnsafeBufferPointer(start: pointer, count: count).compactMap { $0 }
}

/// A text field; absent is empty.
func string(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
}

/// A repeated text field.
func strings(_ pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int) -> [String] {
    UnsafeBufferPointer(start: pointer, count: count).map(string)
}
