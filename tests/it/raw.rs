//! The table and the queue themselves, past the product.

use serde_json::{Value, json};

use crate::harness::Desk;

impl Desk {
    /// Writes an item past the product, as a newer version of it would.
    pub(crate) async fn put_item(&self, item: Value) {
        self.dynamodb("PutItem", json!({"TableName": "frontdesk", "Item": item}))
            .await;
    }

    pub(crate) async fn update_item(&self, pk: &str, sk: &str, expression: &str, values: Value) {
        self.dynamodb(
            "UpdateItem",
            json!({
                "TableName": "frontdesk",
                "Key": {"pk": {"S": pk}, "sk": {"S": sk}},
                "UpdateExpression": expression,
                "ExpressionAttributeValues": values,
            }),
        )
        .await;
    }

    async fn dynamodb(&self, operation: &str, body: Value) {
        let endpoint = self
            .local
            .endpoint(frontdesk_local::Target::Dynamodb, "test");
        let response = self
            .http
            .post(endpoint)
            .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
            .header("content-type", "application/x-amz-json-1.0")
            .header("authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
            .header("x-amz-date", "20260101T000000Z")
            .body(body.to_string())
            .send()
            .await
            .unwrap();
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{operation}: {status} {text}");
    }

    /// Puts a message for an effect on the queue, as a redrive of it alone would.
    pub(crate) async fn announce(&self, pk: &str, sk: &str) {
        let message = json!({"pk": pk, "sk": sk});
        let send = json!({
            "QueueUrl": "http://localhost/000000000000/frontdesk-outbox",
            "MessageBody": message.to_string(),
        });
        let sqs = self.local.sqs();
        let sent = sqs.handle("SendMessage", send.to_string().as_bytes()).await;
        assert_eq!(sent.status, 200);
    }
}
