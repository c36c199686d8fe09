//! Character references of the `HTML` parse mode: four names and all numbers.

/// A character reference at the start: its code and its length in bytes.
pub(crate) fn reference(rest: &str) -> Option<(u32, usize)> {
    let body = rest.strip_prefix('&')?;
    let (code, length) = if let Some(number) = body.strip_prefix('#') {
        let (digits, radix, prefix) = number
            .strip_prefix('x')
            .map_or((number, 10, 2), |hex| (hex, 16, 3));
        let count = digits
            .bytes()
            .take_while(|byte| char::from(*byte).is_digit(radix))
            .count();
        if prefix + count >= 10 {
            return None;
        }
        let code = u32::from_str_radix(&digits[..count], radix).ok()?;
        (code, prefix + count)
    } else {
        let count = body.bytes().take_while(u8::is_ascii_alphabetic).count();
        let code = match &body[..count] {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            _ => return None,
        };
        (u32::from(code), 1 + count)
    };
    if code == 0 || code >= 0x0010_FFFF {
        return None;
    }
    let semicolon = usize::from(rest.as_bytes().get(length) == Some(&b';'));
    Some((code, length + semicolon))
}
