-- Call records: one per call and local party, keyed by the user they belong to.

-- The row stands for the record's id, and its lock orders whatever is known of it. It is made by whichever comes first: the
-- call (state authorized and further), or the voicemail that was left in it (state unknown: not yet a record). A deleted
-- record keeps its row, without what it said, so that a late event cannot bring it back.
CREATE TABLE records.call_record (
    owner uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid,
    call_id uuid,
    sudo_owner uuid,
    phone_number_id uuid,
    direction text NOT NULL DEFAULT 'unknown' CHECK (direction IN ('inbound', 'outbound', 'unknown')),
    state text NOT NULL DEFAULT 'unknown'
        CHECK (state IN ('unknown', 'authorized', 'queued', 'ringing', 'answered', 'completed', 'unanswered')),
    created timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now(),
    local_phone_number text,
    -- NULL: withheld.
    remote_phone_number text,
    -- Talk time.
    duration_seconds bigint NOT NULL DEFAULT 0 CHECK (duration_seconds >= 0),
    termination_reason text,
    termination_side text CHECK (termination_side IN ('caller', 'callee', 'server')),
    -- The version of the call that was applied last.
    call_version bigint NOT NULL DEFAULT 0,
    -- Counts the record's changes; 0 before the first.
    version bigint NOT NULL DEFAULT 0,
    deleted timestamptz,
    PRIMARY KEY (owner, id)
);
CREATE INDEX call_record_by_id ON records.call_record (id);
CREATE INDEX call_record_newest ON records.call_record (owner, created DESC, id DESC)
    WHERE state <> 'unknown' AND deleted IS NULL;
CREATE INDEX call_record_newest_by_number ON records.call_record (owner, local_phone_number, created DESC, id DESC)
    WHERE state <> 'unknown' AND deleted IS NULL;
CREATE INDEX call_record_newest_of_all ON records.call_record (created DESC, id DESC)
    WHERE state <> 'unknown' AND deleted IS NULL;

-- The voicemails known for a record, also before the record itself is. A deleted one keeps its row, not attached, for
-- the version.
CREATE TABLE records.record_voicemail (
    owner uuid NOT NULL,
    record_id uuid NOT NULL,
    voicemail_id uuid NOT NULL,
    version bigint NOT NULL,
    is_attached boolean NOT NULL,
    duration_seconds bigint NOT NULL,
    media_key text NOT NULL,
    media_bucket text NOT NULL,
    media_region text NOT NULL,
    updated timestamptz NOT NULL,
    PRIMARY KEY (owner, record_id, voicemail_id),
    FOREIGN KEY (owner, record_id) REFERENCES records.call_record
);
