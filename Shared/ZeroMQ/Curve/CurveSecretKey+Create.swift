import Glibc

extension CurveSecretKey {
    /// Makes a new key and writes it to a file that only this user may read. Throws when the file is there already: a key
    /// that is in use is not to be lost by a slip.
    public static func create(path: String) throws(CurveError) -> CurveSecretKey {
        let key = CurveSecretKey.make()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CurveError(path, errno == EEXIST ? "is there already" : String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let text = "# Secret key of \(key.publicKey)\n\(key.text)\n"
        guard CurveFile.write(text, to: descriptor) else {
            let problem = String(cString: strerror(errno))
            unlink(path)
            throw CurveError(path, problem)
        }
        return key
    }
}
