//! Reads provider requests and writes provider answers; pure.

pub mod view;

pub use view::{Channel, Item, RequestView, ShownCall, ShownTool, Visibility};
