/// The load model: open or closed.
package enum LoadModel: Sendable, Hashable {
    /// Arrivals at a given rate, however long the server takes.
    case open([RateStage], ArrivalSchedule.Pace)
    /// Each operator waits until its message has arrived, pauses for its think time and sends the
    /// next message.
    case closed(ThinkTime)

    /// The model's name in plans and reports.
    package var word: String {
        switch self {
        case .open: "open"
        case .closed: "closed"
        }
    }
}
