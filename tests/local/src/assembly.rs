//! Putting the parts of a desk together, before any of its functions runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use frontdesk_local_clock::Clock;
use frontdesk_local_sqs::Sqs;
use frontdesk_local_telegram::{Bot, ChatKind, Telegram};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::bot_api::BotApi;
use crate::calls::Calls;
use crate::control::Control;
use crate::dynamodb::Dynamodb;
use crate::endpoint::Endpoint;
use crate::environment::Environment;
use crate::faults::Faults;
use crate::functions::{Function, Functions};
use crate::instances::{Lambda, Setup};
use crate::journal::Journal;
use crate::options::{Data, Options, WebhookSecret};
use crate::poller::{self, Concluded};
use crate::schedule::Scheduler;
use crate::service::Service;
use crate::settings::Business;
use crate::settle::Settling;
use crate::table::Table;
use crate::tasks::Tasks;
use crate::webhook::Webhook;

/// The parts that do not work by themselves yet.
pub(crate) struct Parts {
    pub(crate) lambda: Lambda,
    pub(crate) control: Control,
    pub(crate) webhook: Webhook,
    /// Where the Runtime API is to be served.
    pub(crate) runtime: TcpListener,
    /// Holds the clock's file.
    pub(crate) directory: TempDir,
}

/// The private ports.
struct Ports {
    runtime: TcpListener,
    dynamodb: TcpListener,
    sqs: TcpListener,
    telegram: TcpListener,
}

impl Ports {
    async fn bind() -> std::io::Result<Self> {
        Ok(Self {
            runtime: Endpoint::bind().await?,
            dynamodb: Endpoint::bind().await?,
            sqs: Endpoint::bind().await?,
            telegram: Endpoint::bind().await?,
        })
    }
}

/// Makes all parts; the services answer from here on.
pub(crate) async fn assemble(
    options: &Options,
    business: &Business,
    functions: Functions,
    tasks: &mut Tasks,
) -> anyhow::Result<Parts> {
    let ports = Ports::bind().await?;
    let directory = tempfile::tempdir()?;
    let clock_file = directory.path().join("clock");
    let clock = Clock::with_file(clock_file.clone())?;
    let table = open_table(&options.data)?;
    let sqs = Sqs::new(
        clock.clone(),
        &format!("http://{}", ports.sqs.local_addr()?),
    );
    let secret = secret()?;
    let bot = bot(&business.bot, &secret);
    let is_local = options.telegram.is_none();
    let (queue_url, dead_queue_url) = poller::create_queues(&sqs)?;
    let environment = Environment {
        runtime: ports.runtime.local_addr()?,
        dynamodb: ports.dynamodb.local_addr()?,
        sqs: ports.sqs.local_addr()?,
        telegram: is_local.then_some(ports.telegram.local_addr()?),
        bot_token: options
            .telegram
            .clone()
            .unwrap_or_else(|| bot.token.clone()),
        secret: match &options.webhook_secret {
            WebhookSecret::Fresh => Some(secret.clone()),
            WebhookSecret::Other(other) => Some(other.clone()),
            WebhookSecret::Missing => None,
        },
        queue_url,
        dead_queue_url,
        settings: std::path::absolute(&options.settings)?,
        clock_file,
        webhook_url: options.webhook_url.clone(),
    };
    let journal = Arc::new(Journal::new(options.echo).keeping_requests(options.keep_requests));
    let setup = Setup {
        functions,
        environment: Box::new(move |function, instance| environment.of(function, instance)),
        timeout: Function::timeout,
    };
    let lambda = Lambda::new(setup, Arc::clone(&journal));
    let webhook = Webhook {
        lambda: lambda.clone(),
        clock: clock.clone(),
        bot: business.bot.clone(),
    };
    let telegram = telegram(clock.clone(), bot, options, business);
    telegram.set_webhook(webhook.clone().deliver_from(&telegram));

    let faults = Arc::new(Faults::default());
    let calls = Arc::new(Calls {
        faults: Arc::clone(&faults),
        journal: Arc::clone(&journal),
        lambda: lambda.clone(),
        clock: clock.clone(),
    });
    let dynamodb = Dynamodb::start(&table, tasks).await?;
    let endpoints = vec![
        Endpoint::start(ports.dynamodb, Service::Dynamodb(dynamodb), &calls, tasks)?,
        Endpoint::start(ports.sqs, Service::Sqs(sqs.clone()), &calls, tasks)?,
        Endpoint::start(
            ports.telegram,
            Service::Telegram(BotApi::new(telegram.clone())),
            &calls,
            tasks,
        )?,
    ];
    let scheduler = Scheduler::new(clock.clone(), lambda.clone());
    let settling = Settling {
        clock,
        lambda: lambda.clone(),
        sqs,
        telegram,
        table,
        concluded: Concluded::default(),
    };
    let control = Control {
        settling,
        scheduler,
        faults,
        journal,
        endpoints,
        secret,
        manual: options.manual,
        is_ready: AtomicBool::new(false),
    };
    Ok(Parts {
        lambda,
        control,
        webhook,
        runtime: ports.runtime,
        directory,
    })
}

fn telegram(clock: Clock, bot: Bot, options: &Options, business: &Business) -> Telegram {
    let telegram = Telegram::new(clock, bot);
    for chat in options
        .staff_chats
        .as_ref()
        .unwrap_or(&business.staff_chats)
    {
        telegram.add_chat(chat.chat_id, group_kind(chat.chat_id), &chat.title);
    }
    telegram
}

fn open_table(data: &Data) -> anyhow::Result<Table> {
    let Data::Dir(directory) = data else {
        return Table::open(None);
    };
    std::fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be created", directory.display()))?;
    Table::open(Some(directory))
}

fn secret() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("no random numbers: {error}"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

fn bot(name: &str, secret: &str) -> Bot {
    Bot {
        name: name.to_owned(),
        username: format!("{name}_bot"),
        token: "1:local-desk-needs-no-real-token".to_owned(),
        id: 1,
        secret: Some(secret.to_owned()),
    }
}

fn group_kind(chat_id: i64) -> ChatKind {
    // The ids of supergroups are those of channels below this number.
    if chat_id < -1_000_000_000_000 {
        ChatKind::Supergroup
    } else {
        ChatKind::Group
    }
}
