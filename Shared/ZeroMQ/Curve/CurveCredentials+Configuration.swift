public import Observability
public import Runtime

extension CurveCredentials {
    /// From `BELLWIRE_CURVE_KEY` and `BELLWIRE_CURVE_ALLOWED`; nil when neither is set. Throws `ConfigurationError`, which
    /// names the key: for one without the other, and for a file that cannot be used.
    public static func read(
        _ configuration: Configuration, logger: Logger? = nil
    ) throws(ConfigurationError) -> CurveCredentials? {
        switch (configuration.string(.curveKey), configuration.string(.curveAllowed)) {
        case (nil, nil): return nil
        case (nil, _):
            throw ConfigurationError(
                key: ConfigurationKey.curveKey.variable,
                problem: "is required with \(ConfigurationKey.curveAllowed.variable)")
        case (_, nil):
            throw ConfigurationError(
                key: ConfigurationKey.curveAllowed.variable,
                problem: "is required with \(ConfigurationKey.curveKey.variable)")
        case (let keyPath?, let allowedPath?):
            let secret = try of(.curveKey) { () throws(CurveError) in try CurveSecretKey.read(path: keyPath) }
            let allowed = try of(.curveAllowed) { () throws(CurveError) in
                try AllowedKeys(path: allowedPath, logger: logger)
            }
            return CurveCredentials(secret: secret, allowed: allowed)
        }
    }

    private static func of<Value>(
        _ key: ConfigurationKey, _ read: () throws(CurveError) -> Value
    ) throws(ConfigurationError) -> Value {
        do throws(CurveError) {
            return try read()
        } catch {
            throw ConfigurationError(key: key.variable, problem: error.description)
        }
    }
}
