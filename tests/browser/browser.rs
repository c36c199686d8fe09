//! A browser without a window, driven over `WebDriver`.

use std::process::Stdio;
use std::time::Duration;

use reqwest::Client;
use tempfile::TempDir;
use thirtyfour::prelude::ElementQueryable;
use thirtyfour::{By, ChromiumLikeCapabilities, DesiredCapabilities, Key, WebDriver, WebElement};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long anything on the page may take to appear.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long before it is looked for again.
const PAUSE: Duration = Duration::from_millis(50);

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
    pub(crate) client: WebDriver,
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
        let mut capabilities = DesiredCapabilities::chrome();
        for argument in ARGUMENTS {
            capabilities.add_arg(argument).unwrap();
        }
        let directory = format!("--user-data-dir={}", profile.path().display());
        capabilities.add_arg(&directory).unwrap();
        // The driver is on this machine, whatever proxy the environment names.
        let direct = Client::builder().no_proxy().build().unwrap();
        let client = WebDriver::builder(format!("http://127.0.0.1:{port}"), capabilities)
            .client(direct)
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
        self.client.quit().await.unwrap();
        self.driver.kill().await.unwrap();
    }

    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let resized = self.client.set_window_rect(0, 0, width, height).await;
        resized.unwrap();
    }

    /// The element, once it is there.
    pub(crate) async fn find(&self, css: &str) -> WebElement {
        let query = self.client.query(By::Css(css)).wait(PATIENCE, PAUSE);
        let found = query.first().await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(crate) async fn count(&self, css: &str) -> usize {
        self.client.find_all(By::Css(css)).await.unwrap().len()
    }

    /// Waits until the element's text holds `part`, and gives all of it.
    pub(crate) async fn reads(&self, css: &str, part: &str) -> String {
        let mut text = String::new();
        let reads = async {
            loop {
                // An element that is drawn anew between two commands is found again.
                if let Ok(element) = self.client.find(By::Css(css)).await
                    && let Ok(now) = element.text().await
                {
                    text = now;
                    if text.contains(part) {
                        return;
                    }
                }
                tokio::time::sleep(PAUSE).await;
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
                tokio::time::sleep(PAUSE).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, counts).await;
        assert!(in_time.is_ok(), "there are not {wanted} of {css}");
    }

    /// Strikes keys, wherever the focus is.
    pub(crate) async fn strike(&self, keys: &[Key]) {
        for key in keys {
            let strike = self.client.action_chain().send_keys(key.clone());
            strike.perform().await.unwrap();
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
