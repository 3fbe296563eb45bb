-- Ways to the telephone network, and where users' SIP phones are.

CREATE TABLE directory.trunk (
    account_id uuid NOT NULL REFERENCES directory.account,
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    host text COLLATE "C" NOT NULL,
    port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
    transport text NOT NULL CHECK (transport IN ('udp', 'tcp')),
    -- Digest authentication; NULL: none. Kept in clear, since the realm it is hashed with is only known from a challenge.
    username text,
    password text,
    caller_rule text NOT NULL CHECK (caller_rule IN ('owned', 'fixed')),
    caller_number text COLLATE "C" CHECK (caller_number ~ '^\+[1-9][0-9]{1,14}$'),
    -- Empty: it takes every number.
    prefixes text[] NOT NULL,
    priority integer NOT NULL CHECK (priority BETWEEN 0 AND 1000),
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id),
    CONSTRAINT trunk_name UNIQUE (account_id, name),
    CHECK ((username IS NULL) = (password IS NULL)),
    CHECK (caller_rule <> 'fixed' OR caller_number IS NOT NULL)
);
CREATE INDEX trunk_by_id ON directory.trunk (id);
-- Calls ask whether they come from one.
CREATE INDEX trunk_by_host ON directory.trunk (host);

CREATE TABLE directory.sip_contact (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    -- `sip_user` may be empty.
    sip_user text COLLATE "C" NOT NULL,
    host text COLLATE "C" NOT NULL,
    port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
    transport text NOT NULL CHECK (transport IN ('udp', 'tcp')),
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id),
    CONSTRAINT sip_contact_of_user FOREIGN KEY (account_id, user_id) REFERENCES directory.user_account
        ON DELETE CASCADE,
    CONSTRAINT sip_contact_address UNIQUE (account_id, user_id, sip_user, host, port, transport)
);
CREATE INDEX sip_contact_by_user ON directory.sip_contact (user_id, created DESC, id DESC);
CREATE INDEX sip_contact_by_id ON directory.sip_contact (id);
CREATE INDEX sip_contact_by_host ON directory.sip_contact (host, port);

-- Whether a user may call through a trunk.
ALTER TABLE directory.user_account ADD COLUMN outgoing_barred boolean NOT NULL DEFAULT false;
