/// An event that cannot be what it says, by the part that is wrong; never its value.
package enum MalformedEvent: String, Error {
    case message, callID, userID, accountID, voicemailID, state, reason, times
}
