-- Calls: who takes part, how far they got, and what a successor needs to end what a process left behind.

CREATE TABLE calls.call (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    -- From the id; whoever leases it owns the call.
    slot integer NOT NULL CHECK (slot BETWEEN 0 AND 63),
    -- Counts the call's published changes, without gaps.
    version bigint NOT NULL CHECK (version > 0),
    state text NOT NULL
        CHECK (state IN ('authorized', 'queued', 'ringing', 'answered', 'completed', 'unanswered')),
    created timestamptz NOT NULL,
    updated timestamptz NOT NULL,
    ringing timestamptz,
    answered timestamptz,
    -- NULL: it lives. A diverted call lasts as long as its message.
    ended timestamptz,
    termination_reason text,
    termination_side text CHECK (termination_side IN ('caller', 'callee', 'server')),
    diverted boolean NOT NULL DEFAULT false,

    -- NULL: withheld, or no number.
    caller_number text,
    caller_withheld boolean NOT NULL,
    caller_name text,
    callee_user_id uuid NOT NULL,
    callee_persona_id uuid,
    callee_phone_number_id uuid,
    callee_identity text NOT NULL,
    callee_number text NOT NULL,
    minimum_message_seconds integer NOT NULL,

    -- The instance that made the call.
    instance text NOT NULL,
    -- The INVITE as it came; kept while the call lives.
    invite bytea,
    -- The caller's dialog as of the last step that stored it (`DialogState`).
    dialog jsonb,
    -- A 200 was about to be sent, or was sent: the caller's side may have to be told BYE.
    dialog_confirmed boolean NOT NULL DEFAULT false,
    voicemail_id uuid,
    -- Which relay carries the audio, while the call lives. The session's name there is the call's id.
    relay text,

    PRIMARY KEY (account_id, id),
    CHECK ((termination_reason IS NULL) = (termination_side IS NULL)),
    CHECK (ended IS NULL OR (state IN ('completed', 'unanswered') AND termination_reason IS NOT NULL))
);
CREATE INDEX call_by_id ON calls.call (id);
CREATE INDEX call_newest ON calls.call (account_id, created DESC, id DESC);
CREATE INDEX call_newest_of_all ON calls.call (created DESC, id DESC);
CREATE INDEX call_live ON calls.call (slot, created, id) WHERE ended IS NULL;
