//! Names for things: message ids and receipt handles.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::Error;

/// A random UUID, version 4.
pub(crate) fn uuid() -> String {
    let bits = fastrand::u128(..) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// A receipt handle names the queue, the message in it and the receive.
pub(crate) fn receipt_handle(queue: &str, number: u64, lease: u64) -> String {
    STANDARD.encode(format!("{queue}:{number}:{lease}"))
}

/// The message and the receive that a handle of this queue speaks of.
pub(crate) fn parse_receipt_handle(queue: &str, handle: &str) -> Result<(u64, u64), Error> {
    let parse = || {
        let text = String::from_utf8(STANDARD.decode(handle).ok()?).ok()?;
        let (number, lease) = text
            .strip_prefix(queue)?
            .strip_prefix(':')?
            .split_once(':')?;
        Some((number.parse().ok()?, lease.parse().ok()?))
    };
    parse().ok_or(Error::ReceiptHandleIsInvalid)
}
