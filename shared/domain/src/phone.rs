//! Phone numbers: kept as typed, normalised to E.164 by the country in the settings.

use thiserror::Error;

/// A country whose way of writing its own numbers the desk knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country(&'static Plan);

/// How one country writes numbers, after ITU-T E.164 and the national numbering plans.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// ISO 3166-1 alpha-2.
    code: &'static str,
    calling: &'static str,
    /// What people dial before a national number; it is not part of the international one.
    trunk: &'static str,
    /// What people dial instead of `+`.
    international: &'static str,
    /// Digits of a national number without its trunk prefix, fewest and most.
    digits: (usize, usize),
}

const fn plan(
    code: &'static str,
    calling: &'static str,
    trunk: &'static str,
    international: &'static str,
    digits: (usize, usize),
) -> Plan {
    Plan {
        code,
        calling,
        trunk,
        international,
        digits,
    }
}

const PLANS: &[Plan] = &[
    plan("AE", "971", "0", "00", (8, 9)),
    plan("AM", "374", "0", "00", (8, 8)),
    plan("AT", "43", "0", "00", (6, 13)),
    plan("AU", "61", "0", "0011", (9, 9)),
    plan("BE", "32", "0", "00", (8, 9)),
    plan("BG", "359", "0", "00", (7, 9)),
    plan("BR", "55", "0", "00", (10, 11)),
    plan("BY", "375", "80", "810", (9, 9)),
    plan("CA", "1", "1", "011", (10, 10)),
    plan("CH", "41", "0", "00", (9, 9)),
    plan("CZ", "420", "", "00", (9, 9)),
    plan("DE", "49", "0", "00", (6, 13)),
    plan("DK", "45", "", "00", (8, 8)),
    plan("EE", "372", "", "00", (7, 8)),
    plan("ES", "34", "", "00", (9, 9)),
    plan("FI", "358", "0", "00", (5, 12)),
    plan("FR", "33", "0", "00", (9, 9)),
    plan("GB", "44", "0", "00", (9, 10)),
    plan("GE", "995", "0", "00", (9, 9)),
    plan("GR", "30", "", "00", (10, 10)),
    plan("IE", "353", "0", "00", (7, 9)),
    plan("IL", "972", "0", "00", (8, 9)),
    plan("IN", "91", "0", "00", (10, 10)),
    plan("IT", "39", "", "00", (6, 11)),
    plan("JP", "81", "0", "010", (9, 10)),
    plan("KR", "82", "0", "00", (8, 10)),
    plan("KZ", "7", "8", "810", (10, 10)),
    plan("LT", "370", "0", "00", (8, 8)),
    plan("LV", "371", "", "00", (8, 8)),
    plan("MX", "52", "", "00", (10, 10)),
    plan("NL", "31", "0", "00", (9, 9)),
    plan("NO", "47", "", "00", (8, 8)),
    plan("PL", "48", "", "00", (9, 9)),
    plan("PT", "351", "", "00", (9, 9)),
    plan("RO", "40", "0", "00", (9, 9)),
    plan("RS", "381", "0", "00", (8, 9)),
    plan("RU", "7", "8", "810", (10, 10)),
    plan("SE", "46", "0", "00", (7, 10)),
    plan("TR", "90", "0", "00", (10, 10)),
    plan("UA", "380", "0", "00", (9, 9)),
    plan("US", "1", "1", "011", (10, 10)),
    plan("UZ", "998", "", "00", (9, 9)),
];

/// The code names no country that the desk knows the numbers of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a country whose phone numbers are known here")]
pub struct UnknownCountry;

impl Country {
    /// Looks up an ISO 3166-1 alpha-2 code in upper case.
    pub fn parse(code: &str) -> Result<Self, UnknownCountry> {
        PLANS
            .iter()
            .find(|plan| plan.code == code)
            .map(Self)
            .ok_or(UnknownCountry)
    }

    /// Every code that [`parse`](Self::parse) knows.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        PLANS.iter().map(|plan| plan.code)
    }
}

/// A phone number as it was typed, and as it can be dialled from anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    /// What the customer typed, an extension with it.
    pub typed: String,
    /// `+` and 8 to 15 digits.
    pub e164: String,
}

/// Why a text is no phone number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PhoneFault {
    /// There is no digit in it.
    #[error("no digits")]
    NoDigits,
    /// There is something beside digits, blanks and the usual marks.
    #[error("unexpected characters")]
    Unexpected,
    /// The count of digits is that of no number.
    #[error("too few or too many digits")]
    Length,
}

impl Phone {
    /// Reads a number as people of `country` write it, or an international one beginning with `+`
    /// or the country's international prefix. No other country's code is ever put before a number.
    ///
    /// ```
    /// # use frontdesk_domain::{Country, Phone};
    /// let russia = Country::parse("RU").unwrap();
    /// assert_eq!(Phone::parse("8 (812) 123-45-67", russia).unwrap().e164, "+78121234567");
    /// ```
    pub fn parse(typed: &str, Country(plan): Country) -> Result<Self, PhoneFault> {
        let (plus, digits) = dialled(typed)?;
        let international = if plus {
            Some(digits.as_str())
        } else {
            digits.strip_prefix(plan.international)
        };
        let own_length = |national: &str| {
            (plan.digits.0..=plan.digits.1).contains(&national.len()) && !national.starts_with('0')
        };
        let e164 = match international {
            Some(digits) => match digits.strip_prefix(plan.calling) {
                Some(national) => own_length(national).then(|| format!("+{digits}")),
                None => ((8..=15).contains(&digits.len()) && !digits.starts_with('0'))
                    .then(|| format!("+{digits}")),
            },
            None => [plan.trunk, "", plan.calling]
                .iter()
                .filter_map(|prefix| digits.strip_prefix(prefix))
                .find(|national| own_length(national))
                .map(|national| format!("+{}{national}", plan.calling)),
        };
        let e164 = e164.ok_or(PhoneFault::Length)?;
        Ok(Self {
            typed: typed.to_owned(),
            e164,
        })
    }
}

/// The digits of `typed` up to an extension, and whether a `+` stands before them.
fn dialled(typed: &str) -> Result<(bool, String), PhoneFault> {
    // Full-width digits and plus, as Japanese keyboards type them.
    let folded: String = typed
        .trim()
        .chars()
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0)
                .unwrap_or(c)
                .to_ascii_lowercase(),
            _ => c.to_ascii_lowercase(),
        })
        .collect();
    let number = ["ext", "доб", "#", "x"]
        .iter()
        .filter_map(|mark| folded.find(mark))
        .min()
        .map_or(folded.as_str(), |at| &folded[..at]);
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return Err(PhoneFault::NoDigits);
    }
    let number = number.trim_end_matches([' ', ',', ';', '.', '(']);
    let (plus, rest) = match number.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let is_mark = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | ')' | '-' | '.' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{30fc}'
            )
    };
    if rest.contains(|c: char| !c.is_ascii_digit() && !is_mark(c)) {
        return Err(PhoneFault::Unexpected);
    }
    Ok((plus, rest.chars().filter(char::is_ascii_digit).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str, country: &str) -> Result<String, PhoneFault> {
        Phone::parse(typed, Country::parse(country).expect("a country")).map(|phone| phone.e164)
    }

    #[test]
    fn national_numbers_get_the_settings_country_and_international_ones_keep_theirs() {
        for (typed, country, e164) in [
            ("+7 812 123-45-67", "RU", "+78121234567"),
            ("8 (812) 123-45-67", "RU", "+78121234567"),
            ("812 123 45 67", "RU", "+78121234567"),
            ("7 812 123 45 67", "RU", "+78121234567"),
            ("810 49 30 901820", "RU", "+4930901820"),
            ("+49 30 901820", "RU", "+4930901820"),
            ("+1 415 555 2671 ext 5", "RU", "+14155552671"),
            ("8 812 123-45-67 доб. 12", "RU", "+78121234567"),
            ("030 901820", "DE", "+4930901820"),
            ("(415) 555-2671", "US", "+14155552671"),
            ("1 415 555 2671", "US", "+14155552671"),
            ("０９０ー１２３４ー５６７８", "JP", "+819012345678"),
            ("06 12345678", "NL", "+31612345678"),
        ] {
            assert_eq!(
                read(typed, country).as_deref(),
                Ok(e164),
                "{typed} in {country}"
            );
        }
    }

    #[test]
    fn what_is_no_number_is_refused_and_no_country_is_invented() {
        for (typed, fault) in [
            ("+abc", PhoneFault::NoDigits),
            ("", PhoneFault::NoDigits),
            ("12", PhoneFault::Length),
            ("+7 812", PhoneFault::Length),
            ("123-45-67", PhoneFault::Length),
            ("+1234567890123456", PhoneFault::Length),
            ("49 30 901820 555", PhoneFault::Length),
            ("call 8121234567", PhoneFault::Unexpected),
            ("812+1234567", PhoneFault::Unexpected),
        ] {
            assert_eq!(read(typed, "RU"), Err(fault), "{typed}");
        }
        assert_eq!(Country::parse("XX"), Err(UnknownCountry));
        assert_eq!(Country::parse("ru"), Err(UnknownCountry));
    }
}
