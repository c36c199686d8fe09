//! The MD5 sums that SDKs check. That of attributes follows the SQS developer guide, "Calculating
//! the MD5 message digest for message attributes".

use std::collections::BTreeMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};

use crate::message::MessageAttribute;

const STRING: u8 = 1;
const BINARY: u8 = 2;

pub(crate) fn of_body(body: &str) -> String {
    hexadecimal(Md5::new().chain_update(body))
}

/// None where there are no attributes: SQS then gives no sum.
pub(crate) fn of_attributes(attributes: &BTreeMap<String, MessageAttribute>) -> Option<String> {
    if attributes.is_empty() {
        return None;
    }
    let mut sum = Md5::new();
    for (name, attribute) in attributes {
        add(&mut sum, name.as_bytes());
        add(&mut sum, attribute.data_type.as_bytes());
        if let Some(binary) = &attribute.binary_value {
            sum.update([BINARY]);
            add(&mut sum, &STANDARD.decode(binary).unwrap_or_default());
        } else {
            sum.update([STRING]);
            add(
                &mut sum,
                attribute
                    .string_value
                    .as_deref()
                    .unwrap_or_default()
                    .as_bytes(),
            );
        }
    }
    Some(hexadecimal(sum))
}

fn add(sum: &mut Md5, part: &[u8]) {
    // Checked long before: no part is larger than a message.
    sum.update(u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
    sum.update(part);
}

fn hexadecimal(sum: Md5) -> String {
    sum.finalize()
        .iter()
        .fold(String::with_capacity(32), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums are those that the npm package `aws-md5-of-message-attributes` gives as examples.
    #[test]
    fn sums_of_attributes_are_those_of_sqs() {
        let text = |data_type: &str, value: &str| MessageAttribute {
            data_type: data_type.to_owned(),
            string_value: Some(value.to_owned()),
            binary_value: None,
        };
        let one = BTreeMap::from([("attribName1".to_owned(), text("String", "attribValue 1"))]);
        assert_eq!(
            of_attributes(&one).as_deref(),
            Some("19e27d4e946b072f3f58da80d94fd778")
        );

        let binary = MessageAttribute {
            data_type: "Binary".to_owned(),
            string_value: None,
            binary_value: Some(STANDARD.encode("Hello binary world!")),
        };
        let number = text("Number.float", "4563442423554324324264524243.32543234");
        let mut three = one;
        three.insert("customNumberTypeAttrib".to_owned(), number);
        three.insert("binaryAttribute".to_owned(), binary);
        assert_eq!(
            of_attributes(&three).as_deref(),
            Some("c932db14a896c663f83c260297d594ff")
        );

        assert_eq!(of_attributes(&BTreeMap::new()), None);
    }

    #[test]
    fn the_sum_of_a_body_is_plain_md5() {
        assert_eq!(of_body("hello world"), "5eb63bbbe01eeed093cb22bb8f5acdc3");
    }
}
