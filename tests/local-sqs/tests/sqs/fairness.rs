use serde_json::json;

use crate::desk::{Desk, bodies, url};

async fn send(desk: &Desk, group: Option<&str>, body: &str) {
    let mut request = json!({"QueueUrl": url("work"), "MessageBody": body});
    if let Some(group) = group {
        request["MessageGroupId"] = group.into();
    }
    desk.call("SendMessage", request).await;
}

async fn a_burst_with_two_quiet_ones_behind(group: Option<&str>) -> Desk {
    let desk = Desk::new();
    for _ in 0..60 {
        send(&desk, group, "hot").await;
    }
    send(&desk, Some("quiet"), "quiet").await;
    send(&desk, None, "of nobody").await;
    desk
}

#[tokio::test]
async fn a_group_with_thirty_in_flight_lets_the_others_go_first_until_its_backlog_is_gone() {
    let desk = a_burst_with_two_quiet_ones_behind(Some("hot")).await;
    for _ in 0..3 {
        assert_eq!(bodies(&desk.receive("work").await), ["hot"; 10]);
    }
    let next = desk.receive("work").await;
    let next = bodies(&next);
    assert_eq!(next[..2], ["quiet", "of nobody"]);
    assert_eq!(next[2..], ["hot"; 8]);

    // Once noisy, it stays so while it has a backlog, however little of it is in flight.
    for message in desk
        .sqs
        .receive("work", 10, std::time::Duration::ZERO)
        .await
    {
        desk.sqs.delete("work", &message.receipt_handle);
    }
    send(&desk, Some("quiet"), "quiet again").await;
    assert_eq!(bodies(&desk.receive("work").await)[0], "quiet again");
    while !desk.receive("work").await.is_empty() {}
    desk.sqs
        .handle(
            "PurgeQueue",
            json!({"QueueUrl": url("work")}).to_string().as_bytes(),
        )
        .await;
    send(&desk, Some("hot"), "hot").await;
    send(&desk, Some("quiet"), "quiet").await;
    assert_eq!(bodies(&desk.receive("work").await), ["hot", "quiet"]);
}

#[tokio::test]
async fn a_burst_without_groups_is_received_in_its_order() {
    let desk = a_burst_with_two_quiet_ones_behind(None).await;
    for _ in 0..6 {
        assert_eq!(bodies(&desk.receive("work").await), ["hot"; 10]);
    }
    assert_eq!(bodies(&desk.receive("work").await), ["quiet", "of nobody"]);
}
