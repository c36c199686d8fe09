//! The Runtime API, driven as a function's runtime drives it. The processes only sleep; the tests
//! speak for them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::endpoint::Endpoint;
use crate::functions::{Function, Functions};
use crate::instances::{Lambda, MOST_INSTANCES, Setup};
use crate::journal::Journal;
use crate::outcome::{Failure, Outcome};
use crate::runtime;
use crate::tasks::Tasks;

pub(crate) struct Fake {
    pub(crate) lambda: Lambda,
    base: String,
    http: reqwest::Client,
    _tasks: Tasks,
    _directory: TempDir,
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.lambda.close();
    }
}

fn script(directory: &TempDir, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.path().join("function");
    std::fs::write(&path, text).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    path
}

async fn fake(process: &str, timeout: fn(Function) -> Duration) -> Fake {
    let directory = tempfile::tempdir().expect("a directory");
    let path = script(&directory, process);
    let functions = Functions {
        intake: path.clone(),
        webhook: path.clone(),
        notifier: path.clone(),
        clock: path,
    };
    let setup = Setup {
        functions,
        environment: Box::new(|_, _| vec![("GIVEN".into(), "this".into())]),
        timeout,
    };
    let lambda = Lambda::new(setup, Arc::new(Journal::new(false)));
    let listener = Endpoint::bind().await.expect("a port");
    let base = format!(
        "http://{}/runtime",
        listener.local_addr().expect("an address")
    );
    let router = runtime::router(lambda.clone());
    let mut tasks = Tasks::default();
    tasks.spawn(async move { axum::serve(listener, router).await.expect("a server") });
    let http = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    Fake {
        lambda,
        base,
        http,
        _tasks: tasks,
        _directory: directory,
    }
}

const SLEEPER: &str = "#!/bin/sh\nexec sleep 600\n";

pub(crate) async fn sleeper() -> Fake {
    fake(SLEEPER, Function::timeout).await
}

impl Fake {
    async fn next(&self, instance: &str) -> (String, Value) {
        let url = format!(
            "{}/{instance}/2018-06-01/runtime/invocation/next",
            self.base
        );
        let answer = self.http.get(url).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        let header = |name: &str| answer.headers()[name].to_str().expect("text").to_owned();
        let id = header("lambda-runtime-aws-request-id");
        assert!(
            header("lambda-runtime-deadline-ms")
                .parse::<u64>()
                .expect("milliseconds")
                > 1_700_000_000_000
        );
        assert_eq!(
            header("lambda-runtime-invoked-function-arn"),
            Function::Intake.arn()
        );
        (id, answer.json().await.expect("an event"))
    }

    async fn post(&self, instance: &str, path: &str, body: &Value) -> u16 {
        let url = format!("{}/{instance}/2018-06-01/runtime/{path}", self.base);
        self.http
            .post(url)
            .json(body)
            .send()
            .await
            .expect("an answer")
            .status()
            .as_u16()
    }
}

fn failure(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Answer(payload) => panic!("answered {payload:?}"),
    }
}

#[tokio::test]
async fn an_answer_finds_its_invocation() {
    let fake = sleeper().await;
    let outcome = fake
        .lambda
        .begin(Function::Intake, json!({"n": 1}).to_string());
    let (id, event) = fake.next("intake-1").await;
    assert_eq!(event, json!({"n": 1}));
    assert_eq!(fake.lambda.busy(), 1);
    assert_eq!(fake.lambda.caller("intake-1").invocation, Some(id.clone()));
    assert_eq!(
        fake.post("intake-1", "invocation/other/response", &json!({}))
            .await,
        400
    );
    assert_eq!(
        fake.post(
            "intake-1",
            &format!("invocation/{id}/response"),
            &json!({"done": true})
        )
        .await,
        202
    );
    assert_eq!(
        outcome.await.expect("an outcome"),
        Outcome::Answer("{\"done\":true}".into())
    );
    assert_eq!(fake.lambda.busy(), 0);
}

#[tokio::test]
async fn an_instance_serves_one_invocation_after_another() {
    let fake = sleeper().await;
    for n in 0..3 {
        let outcome = fake.lambda.begin(Function::Intake, n.to_string());
        let (id, event) = fake.next("intake-1").await;
        assert_eq!(event, json!(n));
        fake.post("intake-1", &format!("invocation/{id}/response"), &json!(n))
            .await;
        assert_eq!(
            outcome.await.expect("an outcome"),
            Outcome::Answer(n.to_string().into())
        );
    }
    assert_eq!(fake.lambda.instances().len(), 1);
}

#[tokio::test]
async fn an_error_report_is_the_outcome() {
    let fake = sleeper().await;
    let outcome = fake.lambda.begin(Function::Intake, "{}");
    let (id, _) = fake.next("intake-1").await;
    let report = json!({"errorType": "Oops", "errorMessage": "it broke"});
    fake.post("intake-1", &format!("invocation/{id}/error"), &report)
        .await;
    assert_eq!(
        failure(outcome.await.expect("an outcome")),
        Failure::of("Oops", "it broke".into())
    );
}

#[tokio::test]
async fn a_killed_process_fails_its_invocation() {
    let fake = sleeper().await;
    let outcome = fake.lambda.begin(Function::Intake, "{}");
    fake.next("intake-1").await;
    assert_eq!(fake.lambda.kill(Function::Intake).await, 1);
    let failure = failure(outcome.await.expect("an outcome"));
    assert_eq!(failure.error_type, "Runtime.ExitError");
    assert!(fake.lambda.instances().is_empty());
}

#[tokio::test]
async fn an_invocation_over_its_time_is_ended_with_its_process() {
    let fake = fake(SLEEPER, |_| Duration::from_millis(50)).await;
    let outcome = fake.lambda.begin(Function::Intake, "{}");
    fake.next("intake-1").await;
    assert_eq!(
        failure(outcome.await.expect("an outcome")).error_type,
        "Sandbox.Timedout"
    );
    fake.lambda.kill_instance("intake-1").await;
    assert!(fake.lambda.instances().is_empty());
}

#[tokio::test]
async fn a_process_that_does_not_start_fails_one_invocation_and_not_for_ever() {
    let fake = fake("#!/bin/sh\nexit 3\n", Function::timeout).await;
    let outcome = fake.lambda.invoke(Function::Intake, "{}").await;
    let failure = failure(outcome);
    assert_eq!(failure.error_type, "Runtime.ExitError");
    assert!(
        failure.error_message.ends_with("exit status: 3"),
        "{failure:?}"
    );
    assert!(fake.lambda.warm_up().await.is_err());
}

#[tokio::test]
async fn the_pool_grows_with_demand_up_to_its_limit() {
    let fake = sleeper().await;
    let outcomes: Vec<_> = (0..MOST_INSTANCES + 2)
        .map(|n| fake.lambda.begin(Function::Intake, n.to_string()))
        .collect();
    assert_eq!(fake.lambda.instances().len(), MOST_INSTANCES);
    assert_eq!(fake.lambda.busy(), outcomes.len());
    let (id, _) = fake.next("intake-1").await;
    fake.post(
        "intake-1",
        &format!("invocation/{id}/response"),
        &json!(null),
    )
    .await;
    assert_eq!(fake.lambda.busy(), outcomes.len() - 1);
}

#[tokio::test]
async fn a_process_gets_nothing_but_its_own_environment() {
    let fake = fake("#!/bin/sh\nexport -p\nexec sleep 600\n", Function::timeout).await;
    drop(fake.lambda.begin(Function::Intake, "{}"));
    let said = async {
        while !fake
            .lambda
            .lines()
            .iter()
            .any(|line| line.contains("GIVEN"))
        {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), said)
        .await
        .expect("it speaks");
    let lines = fake.lambda.lines();
    // The shell itself adds OLDPWD and PWD.
    assert!(
        lines
            .iter()
            .all(|line| line.contains("GIVEN") || line.contains("PWD")),
        "{lines:?}"
    );
}
