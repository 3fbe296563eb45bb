/// A point in time: microseconds since 1970, UTC, as PostgreSQL keeps them.
package struct Moment: Hashable, Comparable, Sendable, Codable {
    package let microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: Moment, right: Moment) -> Bool {
        left.microseconds < right.microseconds
    }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        let (seconds, attoseconds) = duration.components
        return Moment(
            microseconds: moment.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
