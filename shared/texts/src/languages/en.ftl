# Answers to presses: at most 200 characters, whatever is put in.
press-claimed = It is yours.
press-already-yours = You have it already.
press-already-taken = Already taken by { $name }.
press-no-such-request = There is no such request.
press-gone = This button no longer works.
only-staff = Only the desk's staff can do this.
only-staff-anonymous-administrator = You press as an anonymous administrator, so the desk cannot tell who you are. Turn "Remain anonymous" off in your rights and press again.
only-staff-service = The desk cannot tell who pressed.
wrong-chat = Buttons work only in the staff's own chat.

# To whoever writes to a bot that has no dialog.
use-the-form = Please use the form on our site. What you write here is not kept.

# What is wrong with a field.
fault-missing = Please fill this in.
fault-too-short = Too short: the least number of characters is { $least }.
fault-too-long = Too long: the greatest number of characters is { $most }.
fault-phone-no-digits = A phone number has digits.
fault-phone = This is not a phone number.
fault-unknown = The form has no such field.
fault-repeated = It was sent more than once.
fault-not-text = It is not a text.
fault-token = It is not one token of 22 to 64 of A-Z a-z 0-9 - _.

# The form's pages.
notice-invalid = Not sent yet: please correct what is marked.
notice-other-content = This form was already sent, with other content. Send it again to add this as a new request.
notice-try-later = Not stored: the desk cannot be reached just now. Please send it again in a moment.
notice-too-large = Not sent: this is more than the form takes.
notice-unreadable = Not sent: the form could not be read.
notice-no-such-form = There is no such form here.
send-button = Send
required-note = Fields marked * are required.
thanks-title = Thank you
thanks-text = We have received your request. Its number:

# Cards.
card-take = Take
card-may-be-repeat = This may be a repeat: whether the first card arrived is not known.
card-typed = typed
card-cut = … (cut here; the whole text is stored)
card-not-taken = Nobody has it yet
card-received = Received
card-taken-by = Taken by { $name }, { $at }
# $more is "+" where counting ended.
card-earlier-leads = { $count ->
    [one] { $count }{ $more } earlier lead of this contact
   *[other] { $count }{ $more } earlier leads of this contact
}

# The daily report. $count and $open are numbers, with "+" where counting ended.
report-title = Report for { $day }
report-accepted = Requests accepted: { $count }{ $rest }
report-repeats = Repeats recognised: { $count }{ $rest }
report-new = Nobody has taken: { $count }{ $rest }
report-in-work = In work: { $count }{ $rest }
report-since = , the oldest since { $at }
report-nothing-waits = Nothing waits to be delivered
report-waits = Waiting to be delivered since { $at }
report-unknown = Sends whose outcome was not learnt: { $count }, open now: { $open }
report-failed = Given up: { $count }, open now: { $open }
report-kept-aside = Updates that could not be worked on: { $count }{ $rest }
notice-may-be-repeat = This may be a repeat: whether the first one arrived is not known.

# Warnings: when something turns bad, and when it is good again.
warning-delay = Messages wait too long: the oldest since { $detail }. Does the notifier run, does Telegram answer?
warning-delay-over = Messages are delivered in time again.
warning-outcomes = Sends whose outcome is not known: { $detail }. They are not repeated by themselves.
warning-outcomes-over = Every outcome is known again.
warning-dead-letters = Given up after all attempts: { $detail }. Put right what was wrong, then redrive the dead letters.
warning-dead-letters-over = Nothing is given up any more.
warning-chats = Chats of the staff's that cannot be reached: { $detail }. Is the bot still a member?
warning-chats-over = All chats of the staff's can be reached again.
warning-webhook-other-address = Somebody had sent the bot's updates to another address. It has been put right.
warning-webhook-deliveries-fail = Telegram cannot deliver updates to the desk.
warning-webhook-updates-wait = Many updates wait to be delivered to the desk.
warning-webhook-over = Updates reach the desk again.
