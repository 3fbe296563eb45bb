-- What can ring for a user: live sessions, installations that a push wakes, SIP contacts.
CREATE TABLE notifications.device (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('session', 'push', 'sipContact')),
    created timestamptz NOT NULL DEFAULT now(),
    last_seen timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);
CREATE INDEX device_newest ON notifications.device (user_id, created DESC, id DESC);
