//! Every call of a function passes here: a fault acts on it or it is done, and it is noted.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_local_clock::Clock;

use crate::fault::{Fault, Kind};
use crate::faults::Faults;
use crate::instances::Lambda;
use crate::journal::{Call, Journal};
use crate::service::{Operation, Reply, Request, Service};

pub(crate) struct Calls {
    pub(crate) faults: Arc<Faults>,
    pub(crate) journal: Arc<Journal>,
    pub(crate) lambda: Lambda,
    pub(crate) clock: Clock,
}

impl Calls {
    /// Answers a request; without an answer its connection is to be closed.
    pub(crate) async fn answer(&self, service: &Service, request: Request) -> Option<Reply> {
        let Some(operation) = service.operation(&request) else {
            return Some(service.unknown());
        };
        let caller = self.lambda.caller(&request.caller);
        if !caller.ready {
            // What an instance does before its first invocation is no part of any use case.
            return Some(service.perform(&request, &operation).await);
        }
        let _under_way = self.journal.begin();
        let at = self.clock.now();
        let fault = self
            .faults
            .act(service.target(), &operation.name, operation.chat);
        let (reply, is_sent) = match &fault {
            None => (Some(service.perform(&request, &operation).await), true),
            Some(fault) => {
                self.answer_faulty(service, &request, &operation, fault)
                    .await
            }
        };
        let is_done = fault.as_ref().is_none_or(Fault::is_done);
        self.journal.call(Call {
            at,
            ended: self.clock.now(),
            function: caller.function,
            instance: request.caller,
            invocation: caller.invocation,
            target: service.target(),
            operation: operation.name,
            status: reply.as_ref().filter(|_| is_sent).map(|reply| reply.status),
            done: reply.as_ref().filter(|_| is_done).map(|reply| reply.status),
            fault: fault.map(|fault| fault.fault),
            read_units: reply.as_ref().map_or(0.0, |reply| reply.read_units),
            write_units: reply.as_ref().map_or(0.0, |reply| reply.write_units),
            bytes_sent: request.body.len(),
            bytes_received: reply
                .as_ref()
                .filter(|_| is_sent)
                .map_or(0, |reply| reply.body.len()),
            request: Some(request.body),
        });
        reply.filter(|_| is_sent)
    }

    /// The reply, if there is one, and whether the caller gets it.
    async fn answer_faulty(
        &self,
        service: &Service,
        request: &Request,
        operation: &Operation,
        fault: &Fault,
    ) -> (Option<Reply>, bool) {
        match fault.fault {
            Kind::Delay => {
                tokio::time::sleep(Duration::from_millis(fault.value.unwrap_or_default())).await;
                (Some(service.perform(request, operation).await), true)
            }
            Kind::LoseAnswer => (Some(service.perform(request, operation).await), false),
            Kind::Kill if fault.after => {
                let reply = service.perform(request, operation).await;
                self.lambda.kill_instance(&request.caller).await;
                (Some(reply), false)
            }
            Kind::Kill => {
                service.note_fault(request, operation, None);
                self.lambda.kill_instance(&request.caller).await;
                (None, false)
            }
            Kind::Drop | Kind::Refuse => {
                service.note_fault(request, operation, None);
                (None, false)
            }
            Kind::Status | Kind::RetryAfter | Kind::Throttle | Kind::Conflict => {
                let reply = service.fail(request, operation, fault);
                service.note_fault(request, operation, Some(&reply));
                (Some(reply), true)
            }
        }
    }
}
