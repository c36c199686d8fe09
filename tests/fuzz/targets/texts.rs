#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| frontdesk_fuzz::texts(data));
