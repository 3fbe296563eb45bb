package import Numbering
package import Runtime

extension DirectoryHandler {
    /// The operator's default region; a code that is none stops the start.
    package static func defaultRegion(in configuration: Configuration) throws(ConfigurationError) -> Region {
        guard let region = Region(configuration.string(.region, default: "US")) else {
            throw ConfigurationError(
                key: ConfigurationKey.region.variable, problem: "must be an ISO 3166 alpha-2 code, such as US")
        }
        return region
    }
}
