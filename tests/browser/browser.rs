//! A browser without a window, driven over `WebDriver`.

use std::process::Stdio;
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long anything on the page may take to appear.
const PATIENCE: Duration = Duration::from_secs(15);

/// What keeps the browser to the page: no window, no sandbox that containers lack, and nothing that
/// it would fetch or report by itself.
const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

pub(crate) struct Browser {
    pub(crate) client: Client,
    driver: Child,
    _profile: TempDir,
}

impl Browser {
    /// A browser with a profile of its own; none if the machine has no chromedriver.
    pub(crate) async fn start() -> Option<Self> {
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let mut driver = match driver {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            driver => driver.unwrap(),
        };
        let port = port_of(&mut driver).await;
        let profile = tempfile::tempdir().unwrap();
        let mut arguments = ARGUMENTS.map(str::to_owned).to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let mut capabilities = Capabilities::new();
        capabilities.insert("goog:chromeOptions".into(), json!({"args": arguments}));
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap();
        Some(Self {
            client,
            driver,
            _profile: profile,
        })
    }

    /// Ends the browser, then its driver.
    pub(crate) async fn stop(mut self) {
        self.client.clone().close().await.unwrap();
        self.driver.kill().await.unwrap();
    }

    /// The element, once it is there.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE);
        let found = wait.for_element(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(crate) async fn count(&self, css: &str) -> usize {
        self.client.find_all(Locator::Css(css)).await.unwrap().len()
    }

    /// Waits until the element's text holds `part`, and gives all of it.
    pub(crate) async fn reads(&self, css: &str, part: &str) -> String {
        let mut text = String::new();
        let reads = async {
            loop {
                // An element that is drawn anew between two commands is found again.
                if let Ok(element) = self.client.find(Locator::Css(css)).await
                    && let Ok(now) = element.text().await
                {
                    text = now;
                    if text.contains(part) {
                        return;
                    }
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, reads).await;
        assert!(in_time.is_ok(), "{css} does not read {part:?} but {text:?}");
        text
    }

    /// Waits until there are that many such elements.
    pub(crate) async fn counts(&self, css: &str, wanted: usize) {
        let counts = async {
            while self.count(css).await != wanted {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, counts).await;
        assert!(in_time.is_ok(), "there are not {wanted} of {css}");
    }

    /// Strikes keys, wherever the focus is.
    pub(crate) async fn strike(&self, keys: &[Key]) {
        for key in keys {
            let value = char::from(*key);
            let strike = KeyActions::new("keyboard".into())
                .then(KeyAction::Down { value })
                .then(KeyAction::Up { value });
            self.client.perform_actions(strike).await.unwrap();
        }
    }

    /// The text or label of what has the focus.
    pub(crate) async fn focused(&self) -> String {
        let element = self.client.active_element().await.unwrap();
        match element.attr("aria-label").await.unwrap() {
            Some(label) => label,
            None => element.text().await.unwrap(),
        }
    }
}

/// The driver says where it listens once it does.
async fn port_of(driver: &mut Child) -> u16 {
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            let port = line.rsplit_once("on port ");
            if let Some((_, port)) = port
                && let Ok(port) = port.trim_end_matches('.').parse()
                && port != 0
            {
                return port;
            }
        }
        panic!("chromedriver ended before it listened");
    };
    let port = tokio::time::timeout(PATIENCE, port).await.unwrap();
    // Later lines must find a reader, or the driver would wait for one.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    port
}
