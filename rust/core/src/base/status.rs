//! Why work ended.

/// The event that ended a piece of long work. Reaching a limit is a status, never an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Proven best.
    Optimal,
    /// Ran to its end; nothing is claimed or nothing was to prove.
    Complete,
    /// The time is used up.
    TimeLimit,
    /// As many trees or subtables as allowed were searched.
    NodeLimit,
    /// The memory allowed is used up.
    MemoryLimit,
    /// A callback asked to stop.
    Stopped,
    /// Nothing better was found for as long as was asked for.
    Stalled,
}

impl Status {
    /// The word used in results.
    pub fn name(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Complete => "complete",
            Status::TimeLimit => "time_limit",
            Status::NodeLimit => "node_limit",
            Status::MemoryLimit => "memory_limit",
            Status::Stopped => "stopped",
            Status::Stalled => "stalled",
        }
    }
}
