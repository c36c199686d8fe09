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

# The bot's dialog: what is said of a message or press. As answers to presses they have at most 200 characters.
dialog-resumed = You have an unfinished request; here is where you stopped. To give it up: /cancel
dialog-expired-anew = Your former request was not finished in time and nothing of it was sent. Let us begin anew.
dialog-expired = This request was not finished in time. Nothing was sent.
dialog-unknown-command = There is no such command here. What there is: /help
dialog-cancelled = Cancelled. Nothing was sent.
dialog-nothing-to-cancel = There is nothing to cancel.
dialog-fault-choice = Please choose with the buttons.
dialog-fault-none-chosen = Please choose at least one.
dialog-fault-too-many-chosen = { $most ->
    [one] Only { $most } can be chosen.
   *[other] At most { $most } can be chosen.
}
dialog-fault-not-text = Please answer in words.
dialog-fault-too-short = { $least ->
    [one] Too short: at least { $least } character is needed.
   *[other] Too short: at least { $least } characters are needed.
}
dialog-fault-too-long = { $most ->
    [one] Too long: at most { $most } character fits.
   *[other] Too long: at most { $most } characters fit.
}
dialog-fault-not-file = Please send a document or a photo, or go on with the buttons.
dialog-fault-no-file-here = No file is asked for here; it was not kept.
dialog-fault-no-files = Please send a file first.
dialog-fault-too-many-files = { $most ->
    [one] Only { $most } file is kept; this one was not.
   *[other] At most { $most } files are kept; this one was not.
}
dialog-fault-required = This must be answered.
dialog-file-kept = Received. Send more, or go on.
dialog-noted = Noted: { $answer }
dialog-files-cleared = The files are taken out.
dialog-not-edited = Changing a message changes no answer. Please send it anew, or change the answer before you send the request.
dialog-old-button = That button belongs to an earlier question. Here is where we are.
dialog-old-draft = That button belongs to an earlier request. Here is where we are.
dialog-use-buttons = Everything is answered. Please go on with the buttons.
dialog-still-needed = Before it can be sent, this must be answered.
dialog-sent = Sent. Its number: { $number }
dialog-already-sent = It is sent already. Its number: { $number }

# The dialog: what is asked and shown.
dialog-help =
    I ask a few questions and pass your answers on when you confirm them; until then nothing is sent. Answer with the buttons or in words. You can leave and come back later.
    /start begins or goes on, /back goes a step back, /skip goes on without an answer, /cancel gives up.
dialog-step = { $at } of { $count }
dialog-optional = You can skip this.
dialog-answered = So far: { $answer }
dialog-files = { $count ->
    [one] { $count } file
   *[other] { $count } files
}
dialog-preview-title = Please check
dialog-preview-hint = Is everything right? Then send it.
dialog-shared-number = shared by Telegram
dialog-view-sent = Your request is sent. Its number: { $number }
dialog-view-closed = No request is open. To begin one, press the button or send /start
budget-to = up to { $to } { $currency }
budget-between = { $from } – { $to } { $currency }
budget-from = from { $from } { $currency }
dialog-button-next = Go on
dialog-button-keep = Keep it
dialog-button-skip = Skip
dialog-button-back = Back
dialog-button-cancel = Cancel
dialog-button-clear = Take the files out
dialog-button-confirm = Send
dialog-button-edit = Change: { $label }
dialog-button-anew = New request
dialog-button-share = Share my number
dialog-confirmation = Thank you! We have your request and will get in touch with you. Its number: { $number }

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
card-files = { $count ->
    [one] { $count } file follows
   *[other] { $count } files follow
}
card-from = Came by the link: { $source }
card-language = Writes in: { $code }
card-files-refused = Telegram does not pass on: { $names }
card-unreachable = Cannot be reached in Telegram: the customer has blocked the bot
brief-may-be-repeat = This file may be a repeat.
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

# What staff do, and what they get for their commands.
press-returned = Nobody has it now.
press-closed = It is closed.
press-not-taken = Nobody has it.
press-already-closed = Already closed by { $name }.
press-only-administrators = Only administrators of the desk can do this.
card-return = Return
card-close = Close
card-closed-by = Closed by { $name }, { $at }
card-closed-because = Closed by { $name }, { $at }: { $reason }
state-new = new
state-in-work = in work: { $name }
state-closed = closed: { $name }
state-name-in-work = in work
state-name-closed = closed
list-title = The last requests
list-empty = There are no requests here.
list-latest = « Latest
list-older = Older »
stats-title = How it stands
stats-closed-today = Closed today: { $count }{ $rest }
stats-closed-lately = Closed in 30 days: { $count }{ $rest }
stats-unknown = Sends with unknown outcome: { $count }{ $rest }
stats-failed = Given up: { $count }{ $rest }
story-history = History
story-stored = stored
story-by-itself = the desk
story-earlier-changes = { $count ->
    [one] … after { $count } earlier change
   *[other] … after { $count } earlier changes
}
story-messages = Messages
story-more-messages = … and { $count } more
story-earlier = Earlier requests of this contact
effect-pending = waits
effect-sending = is being sent
effect-done = delivered
effect-unknown = outcome unknown
effect-failed = given up
effect-counts = attempts: { $attempts }, unknown: { $unknowns }
number-unreadable = A number has 14 digits of 0-9 and a-f; its first four or more will do.
number-unknown = There is no request whose number begins so.
number-several = Several requests begin so:
retry-nothing = Nothing of it was given up or is unknown.
retry-begun = { $count ->
    [one] { $count } message is attempted again.
   *[other] { $count } messages are attempted again.
}

# The menus of commands.
command-start = Begin a request
command-help = What this bot does
command-cancel = Give the draft up
command-list = The last requests
command-stats = How many stand where
command-show = One request's whole story, by its number
command-retry = Send again what was given up
command-take = Take a request
command-return = Give a request back
command-close = Close a request, with a reason if you like

reminder-unclaimed = Nobody has taken this request, which came { $at }.
reminder-returned = Nothing has been done on this request for a long time, so anybody can take it again:
