-- Who is who: tenants, their users, what numbers they have. The owner of these tables is the account.

CREATE TABLE directory.account (
    id uuid PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    sip_domain text COLLATE "C" NOT NULL,
    -- ISO 3166 alpha-2.
    region text NOT NULL CHECK (region ~ '^[A-Z]{2}$'),
    created timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX account_name ON directory.account (lower(name));
CREATE UNIQUE INDEX account_sip_domain ON directory.account (sip_domain);

CREATE TABLE directory.user_account (
    account_id uuid NOT NULL REFERENCES directory.account,
    id uuid NOT NULL,
    identity text COLLATE "C" NOT NULL CHECK (identity ~ '^[A-Za-z0-9_=-]{1,255}$'),
    ring_time_seconds integer NOT NULL CHECK (ring_time_seconds BETWEEN 1 AND 300),
    ring_policy text NOT NULL CHECK (ring_policy IN ('allDevices', 'newestDevice', 'decline')),
    minimum_message_seconds integer NOT NULL CHECK (minimum_message_seconds BETWEEN 0 AND 180),
    created timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id),
    CONSTRAINT user_identity UNIQUE (account_id, identity)
);
CREATE INDEX user_by_id ON directory.user_account (id);

CREATE TABLE directory.persona (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
    is_default boolean NOT NULL DEFAULT false,
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id),
    CONSTRAINT persona_of_user FOREIGN KEY (account_id, user_id) REFERENCES directory.user_account ON DELETE CASCADE
);
CREATE INDEX persona_by_user ON directory.persona (account_id, user_id, id);
CREATE UNIQUE INDEX persona_default ON directory.persona (account_id, user_id) WHERE is_default;
CREATE INDEX persona_by_id ON directory.persona (id);

-- A number's assignment to a persona, from its provisioning to its release: another assignment of the same number has
-- another id, and knows nothing of this one.
CREATE TABLE directory.phone_number (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    persona_id uuid NOT NULL,
    phone_number text COLLATE "C" NOT NULL CHECK (phone_number ~ '^\+[1-9][0-9]{1,14}$'),
    state text NOT NULL CHECK (state IN ('complete', 'provisioning', 'deprovisioning', 'failed')),
    version bigint NOT NULL DEFAULT 1,
    created timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id),
    CONSTRAINT phone_number_of_user FOREIGN KEY (account_id, user_id) REFERENCES directory.user_account
        ON DELETE CASCADE,
    CONSTRAINT phone_number_of_persona FOREIGN KEY (account_id, persona_id) REFERENCES directory.persona
        ON DELETE CASCADE
);
CREATE INDEX phone_number_by_user ON directory.phone_number (account_id, user_id, id);
CREATE INDEX phone_number_by_persona ON directory.phone_number (account_id, persona_id);
CREATE INDEX phone_number_by_id ON directory.phone_number (id);

-- Which assignment a number has now: one at most, over all accounts. Keyed by number, because calls ask by it.
CREATE TABLE directory.number_holder (
    phone_number text COLLATE "C" NOT NULL,
    account_id uuid NOT NULL,
    assignment_id uuid NOT NULL,
    CONSTRAINT number_is_held_once PRIMARY KEY (phone_number),
    FOREIGN KEY (account_id, assignment_id) REFERENCES directory.phone_number ON DELETE CASCADE
);
CREATE INDEX number_holder_by_assignment ON directory.number_holder (account_id, assignment_id);
