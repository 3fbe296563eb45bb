-- Voicemails, keyed by the user they were left for, and what is needed to finish a recording whose process died.

-- One row for each call taken, under its slot's epoch. `finished` is set once, by whoever finishes the recording: that is
-- what makes a voicemail, and its event, appear once. The audio lies on the disk of the host that records.
CREATE TABLE voicemail.recording (
    -- The voicemail's id, should one come of it.
    id uuid PRIMARY KEY,
    slot integer NOT NULL CHECK (slot BETWEEN 0 AND 63),
    epoch bigint NOT NULL,
    instance text NOT NULL,
    owner uuid NOT NULL,
    call_id uuid NOT NULL,
    started timestamptz NOT NULL,
    finished timestamptz
);
CREATE INDEX recording_live ON voicemail.recording (slot, started) WHERE finished IS NULL;
CREATE INDEX recording_finished ON voicemail.recording (finished) WHERE finished IS NOT NULL;

CREATE TABLE voicemail.voicemail (
    owner uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    call_id uuid NOT NULL,
    sudo_owner uuid,
    phone_number_id uuid,
    -- NULL once the callee's record is deleted.
    call_record_id uuid,
    created timestamptz NOT NULL,
    updated timestamptz NOT NULL,
    local_phone_number text NOT NULL,
    -- NULL: withheld.
    remote_phone_number text,
    display_name text,
    duration_seconds bigint NOT NULL CHECK (duration_seconds >= 1),
    size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
    media_key text NOT NULL,
    media_bucket text NOT NULL,
    media_region text NOT NULL,
    -- Counts the voicemail's published changes.
    version bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (owner, id)
);
CREATE INDEX voicemail_by_id ON voicemail.voicemail (id);
CREATE INDEX voicemail_by_record ON voicemail.voicemail (owner, call_record_id) WHERE call_record_id IS NOT NULL;
CREATE INDEX voicemail_newest ON voicemail.voicemail (owner, created DESC, id DESC);
CREATE INDEX voicemail_newest_by_number ON voicemail.voicemail (owner, local_phone_number, created DESC, id DESC);
CREATE INDEX voicemail_newest_of_all ON voicemail.voicemail (created DESC, id DESC);

-- Call records deleted lately: a message that is still being recorded then must not name its record.
CREATE TABLE voicemail.deleted_record (
    record_id uuid PRIMARY KEY,
    deleted timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE voicemail.greeting (
    owner uuid PRIMARY KEY,
    duration_milliseconds bigint NOT NULL,
    updated timestamptz NOT NULL,
    media_key text NOT NULL,
    media_bucket text NOT NULL,
    media_region text NOT NULL
);

-- Media nothing names any more, until it is removed: written with the change that let go of it.
CREATE TABLE voicemail.released_media (
    media_bucket text NOT NULL,
    media_key text NOT NULL,
    media_region text NOT NULL,
    released timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (media_bucket, media_key)
);
