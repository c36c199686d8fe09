use super::*;
use crate::effect::EffectId;
use crate::{Name, RequestId};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).expect("a time")
}

fn card() -> Effect {
    let request = RequestId::parse("3f9a22c107bed4").expect("an id");
    let place = Name::parse("staff").expect("a name");
    Effect::new(EffectId::Card { request, place }, at(0))
}

fn leased(effect: &Effect, now: i64) -> Effect {
    match effect.start(at(now), at(now), format!("attempt-{now}")) {
        Start::Lease(effect) => *effect,
        other => panic!("no lease but {other:?}"),
    }
}

fn message(message: i64) -> MessageRef {
    MessageRef {
        chat: -100,
        message,
    }
}

fn shown(version: u32, at: MessageRef) -> Outcome {
    Outcome::Done {
        shown: version,
        message: Some(at),
        cleared: BTreeSet::new(),
    }
}

#[test]
fn a_confirmed_send_is_done_and_waits_for_nothing() {
    let sending = leased(&card(), 1);
    assert_eq!(
        sending.start(at(2), at(2), "other".into()),
        Start::Wait { due: None }
    );
    let done = sending.finish(&shown(1, message(7)), None, at(2), 0.5);
    assert_eq!(
        (done.state, done.due, done.message),
        (State::Done, None, Some(message(7)))
    );
    assert_eq!(done.start(at(3), at(3), "late".into()), Start::Settled);
}

#[test]
fn of_a_message_that_is_delivered_twice_the_second_delivery_leaves_it() {
    let start = |effect: &Effect, holder: &str| effect.start(at(1), at(1), holder.to_owned());
    let Start::Lease(sending) = start(&card(), "1f2e:a") else {
        panic!("nobody has it");
    };
    assert_eq!(start(&sending, "1f2e:b"), Start::Leased);
    assert_eq!(start(&sending, "77aa:b"), Start::Wait { due: None });
}

#[test]
fn a_wish_during_the_lease_sends_it_round_again() {
    let mut sending = leased(&card(), 1);
    sending.want = 2;
    let again = sending.finish(&shown(1, message(7)), None, at(2), 0.5);
    assert_eq!(
        (again.state, again.shown, again.attempts),
        (State::Pending, 1, 0)
    );
    assert_eq!(leased(&again, 2).message, Some(message(7)));
}

#[test]
fn a_card_without_an_answer_is_unknown_and_goes_again_after_half_a_minute() {
    let unknown = leased(&card(), 0).finish(&Outcome::Unknown, Some("timeout"), at(10), 0.0);
    assert_eq!((unknown.state, unknown.unknowns), (State::Unknown, 1));
    assert_eq!(unknown.not_before, at(40));
    assert!(matches!(
        unknown.start(at(30), at(30), "early".into()),
        Start::Wait { .. }
    ));
    assert_eq!(leased(&unknown, 40).attempts, 2);
}

#[test]
fn a_pressed_copy_of_an_unknown_send_becomes_the_card() {
    let mut sending = leased(&card(), 0);
    sending.strays.insert(message(7));
    let known = sending.finish(&Outcome::Unknown, Some("timeout"), at(10), 0.0);
    assert_eq!(
        (known.state, known.message, known.unknowns),
        (State::Pending, Some(message(7)), 1)
    );
    assert!(known.strays.is_empty());
}

#[test]
fn a_dead_holder_is_an_unknown_send_but_only_a_repeated_edit() {
    let sending = leased(&card(), 0);
    assert!(matches!(
        sending.start(at(61), at(61), "b".into()),
        Start::Wait { .. }
    ));
    let second = leased(&sending, 90);
    assert_eq!((second.unknowns, second.attempts), (1, 2));

    let mut done = leased(&card(), 0).finish(&shown(1, message(7)), None, at(1), 0.0);
    done.want = 2;
    let editing = leased(&done, 10);
    let second = leased(&editing, 71);
    assert_eq!((second.unknowns, second.attempts), (0, 2));
}

#[test]
fn waiting_for_telegram_uses_up_no_attempt_however_long() {
    let until = at(70_000);
    let waiting =
        leased(&card(), 0).finish(&Outcome::RateLimited { until }, Some("429"), at(1), 0.0);
    assert_eq!(
        (waiting.attempts, waiting.not_before, waiting.due),
        (0, until, Some(until - EARLY))
    );
    assert_eq!(waiting.message_delay(at(1)), None);
}

#[test]
fn eight_attempts_fail_it_and_only_a_later_message_starts_it_afresh() {
    let mut effect = card();
    let mut now = 0;
    for attempt in 1..=MAX_ATTEMPTS {
        effect = leased(&effect, now).finish(&Outcome::Retryable, Some("500"), at(now), 0.0);
        assert_eq!(
            effect.state == State::Failed,
            attempt == MAX_ATTEMPTS,
            "{attempt}"
        );
        now += 3600;
    }
    let failed_at = effect.failed_at.expect("it failed");
    assert_eq!(
        effect.start(at(now), failed_at, "old".into()),
        Start::DeadLetter
    );
    let afresh = leased(&effect, now);
    assert_eq!((afresh.attempts, afresh.failed_at), (1, None));
}

#[test]
fn a_holder_that_dies_every_time_ends_as_failed() {
    let mut effect = card();
    let mut now = 0;
    for _ in 0..MAX_ATTEMPTS {
        effect = leased(&effect, now);
        now += 100;
    }
    assert!(matches!(
        effect.start(at(now), at(now), "x".into()),
        Start::GiveUp(_)
    ));
}

#[test]
fn a_deleted_card_is_sent_anew_once() {
    let mut done = leased(&card(), 0).finish(&shown(1, message(7)), None, at(1), 0.0);
    done.want = 2;
    let anew = leased(&done, 2).finish(&Outcome::Gone, Some("gone"), at(3), 0.0);
    assert_eq!(
        (anew.state, anew.message, anew.resends),
        (State::Pending, None, 1)
    );
    let mut again = leased(&anew, 3).finish(&shown(2, message(8)), None, at(4), 0.0);
    again.want = 3;
    let failed = leased(&again, 5).finish(&Outcome::Gone, Some("gone"), at(6), 0.0);
    assert_eq!(failed.state, State::Failed);
    let redriven = leased(&failed, 60).finish(&Outcome::Gone, Some("gone"), at(61), 0.0);
    assert_eq!(
        (redriven.state, redriven.message),
        (State::Pending, None),
        "sent anew"
    );
}

#[test]
fn a_deleted_card_that_was_pressed_late_is_not_taken_for_a_copy() {
    let mut unknown = leased(&card(), 0).finish(&Outcome::Unknown, None, at(1), 0.0);
    unknown.message = Some(message(7));
    unknown.strays.insert(message(7));
    unknown.want = 2;
    let anew = leased(&unknown, 60).finish(&Outcome::Gone, Some("gone"), at(61), 0.0);
    assert_eq!(leased(&anew, 62).message, None, "it is sent anew");
}
