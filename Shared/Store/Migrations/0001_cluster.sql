-- Schemas and roles, and who is who in the cluster.
--
-- For authors of migrations:
--  * A file NNNN_name.sql runs once, whole, in one transaction: no BEGIN, no COMMIT. It is never edited after a release;
--    a change is a new file. An edited file is refused.
--  * Each service has a schema and a role, bellwire_<schema>. Write every name with its schema (calls.call), and no
--    GRANTs: tables, sequences and functions made in a schema are usable by its role alone, by the default privileges below.
--    Roles read and write rows; only the owner, who runs migrations, changes tables.
--  * What grows is keyed by its owner first, and paged by keyset: (owner, created, id).
--  * Times are timestamptz, ids uuid, closed sets text with a CHECK.

CREATE SCHEMA IF NOT EXISTS cluster;
CREATE SCHEMA events;
CREATE SCHEMA directory;
CREATE SCHEMA calls;
CREATE SCHEMA records;
CREATE SCHEMA voicemail;
CREATE SCHEMA notifications;

-- Roles belong to the whole server: another database of it may have made them already.
DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY['directory', 'calls', 'records', 'voicemail', 'notifications', 'cli'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', 'bellwire_' || service);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
        -- A superuser is a member of every role already; others need it to connect as that role.
        IF NOT pg_has_role(current_user, 'bellwire_' || service, 'MEMBER') THEN
            EXECUTE format('GRANT %I TO %I', 'bellwire_' || service, current_user);
        END IF;
    END LOOP;
    FOREACH service IN ARRAY ARRAY['directory', 'calls', 'records', 'voicemail', 'notifications'] LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', service, 'bellwire_' || service);
        EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I',
            service, 'bellwire_' || service);
        EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE ON SEQUENCES TO %I',
            service, 'bellwire_' || service);
        EXECUTE format('GRANT USAGE ON SCHEMA cluster, events TO %I', 'bellwire_' || service);
        EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA cluster, events
            GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', 'bellwire_' || service);
        EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA cluster, events GRANT USAGE ON SEQUENCES TO %I',
            'bellwire_' || service);
    END LOOP;
    -- The CLI looks on: who lives, what happens.
    GRANT USAGE ON SCHEMA cluster, events TO bellwire_cli;
    ALTER DEFAULT PRIVILEGES IN SCHEMA cluster, events GRANT SELECT ON TABLES TO bellwire_cli;
END
$$;

-- What the migrator made before this file.
GRANT SELECT ON cluster.migration TO bellwire_directory, bellwire_calls, bellwire_records, bellwire_voicemail,
    bellwire_notifications, bellwire_cli;

-- A process that lives, by the lease it renews.
CREATE TABLE cluster.instance (
    service text NOT NULL,
    name text NOT NULL,
    -- Where its RPC server listens.
    address text NOT NULL,
    -- Where its live path of events listens; empty when it has none.
    events_address text NOT NULL DEFAULT '',
    -- Another one for each start of the process.
    incarnation uuid NOT NULL,
    -- Machine and lock file: whoever holds that lock has outlived the process that wrote this.
    lock text NOT NULL DEFAULT '',
    joined timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires timestamptz NOT NULL,
    PRIMARY KEY (service, name)
);

-- Who takes slots of which group.
CREATE TABLE cluster.member (
    "group" text NOT NULL,
    service text NOT NULL,
    name text NOT NULL,
    PRIMARY KEY ("group", service, name),
    FOREIGN KEY (service, name) REFERENCES cluster.instance ON DELETE CASCADE
);

-- Slots and their owners. The epoch rises with each change of owner, and never falls.
CREATE TABLE cluster.slot (
    "group" text NOT NULL,
    slot integer NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,
    -- NULL: free.
    service text,
    name text,
    incarnation uuid,
    PRIMARY KEY ("group", slot)
);

-- Raises BW001 unless the lease holds; keeps it so until the transaction ends, because whoever takes the slot locks the
-- row FOR UPDATE first.
CREATE FUNCTION cluster.fence(the_group text, the_slot integer, the_epoch bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM cluster.slot s
        WHERE s."group" = the_group AND s.slot = the_slot AND s.epoch = the_epoch
        FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'stale epoch' USING ERRCODE = 'BW001';
    END IF;
END
$$;
