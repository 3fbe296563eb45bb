import Media

/// Whether a description puts the other side on hold (RFC 3264, section 8.4).
package enum HeldMedia {
    package static func isHeld(_ text: String) -> Bool {
        guard let description = try? SessionDescription(parsing: text),
            let audio = description.media.first(where: { $0.kind == "audio" && $0.port != 0 })
        else { return false }
        let direction = description.direction(of: audio)
        return !(direction.sends && direction.receives) || description.connection(of: audio)?.isUnspecified == true
    }
}
