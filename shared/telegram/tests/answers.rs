//! What the client makes of each kind of answer, from a server that a test scripts.

use std::io::{Read, Write};
use std::net::TcpListener;

use frontdesk_telegram::{Client, Error, LinkPreview, Roots, SendMessage, Token};

fn message() -> SendMessage {
    SendMessage {
        chat_id: 1,
        text: "hello".to_owned(),
        parse_mode: None,
        link_preview_options: LinkPreview::OFF,
        reply_parameters: None,
        reply_markup: None,
    }
}

fn client(base_url: String) -> Client {
    let token = Token::parse("1:test").expect("a token");
    Client::new(base_url, token, Roots::CompiledIn).expect("a client")
}

/// Calls a server that reads one request and writes `answer`, then closes the connection.
async fn call(answer: String) -> Result<i64, Error> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("an address"));
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut request = Vec::new();
        let mut some = [0; 1024];
        while !request.ends_with(b"}") {
            let read = stream.read(&mut some).expect("a request");
            request.extend_from_slice(&some[..read]);
        }
        stream.write_all(answer.as_bytes()).expect("an answer");
    });
    let outcome = client(base_url).call(&message()).await;
    server.join().expect("the server ends");
    outcome.map(|sent| sent.message_id)
}

fn http(status: u16, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n{body}")
}

#[tokio::test]
async fn only_a_complete_answer_is_one_and_all_else_is_unknown() {
    let complete = http(200, r#"{"ok":true,"result":{"message_id":7}}"#);
    let cut_off = complete[..complete.len() - 9].to_owned();
    let limited = r#"{"ok":false,"error_code":429,"description":"Too Many","parameters":{"retry_after":70000}}"#;
    for (answer, outcome) in [
        (complete, Ok(7)),
        (String::new(), Err(Error::NoAnswer("connection_lost"))),
        (cut_off, Err(Error::NoAnswer("answer_cut_off"))),
        (
            http(200, r#"{"ok":true,"res"#),
            Err(Error::NoAnswer("answer_unreadable")),
        ),
        (
            http(200, r#"{"ok":true}"#),
            Err(Error::NoAnswer("answer_unreadable")),
        ),
        (
            http(200, r#"[true,{"message_id":7},null,"",null]"#),
            Err(Error::NoAnswer("answer_unreadable")),
        ),
        (
            http(502, "<html></html>"),
            Err(Error::NoAnswer("answer_unreadable")),
        ),
        (
            http(
                500,
                r#"{"ok":false,"error_code":500,"description":"Wrong"}"#,
            ),
            Err(Error::Server),
        ),
        (http(429, limited), Err(Error::RateLimited(70_000))),
    ] {
        assert_eq!(call(answer.clone()).await, outcome, "{answer}");
    }
}

#[tokio::test]
async fn without_a_connection_nothing_was_sent_and_the_token_shows_nowhere() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let client = client(base_url);
    let refused = client.call(&message()).await;
    assert_eq!(refused.err(), Some(Error::NotConnected));
    assert!(!format!("{client:?}").contains("1:test"));
}
