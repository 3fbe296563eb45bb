-- Events: written to the outbox with the change that they tell, moved to the log by the sequencer.

CREATE TABLE events.outbox (
    id bigserial PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    version bigint NOT NULL,
    owner text NOT NULL,
    type text NOT NULL,
    payload bytea NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE events.log (
    -- Dense, in an order that every reader sees alike.
    position bigint PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    version bigint NOT NULL,
    owner text NOT NULL,
    type text NOT NULL,
    payload bytea NOT NULL,
    created timestamptz NOT NULL
);

-- The counter that positions come from: one row.
CREATE TABLE events.sequencer (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    -- Which log this is: tokens of another one are recognised.
    incarnation uuid NOT NULL DEFAULT gen_random_uuid(),
    -- The last position given.
    position bigint NOT NULL DEFAULT 0,
    -- The oldest position kept is the next one.
    trimmed bigint NOT NULL DEFAULT 0
);
INSERT INTO events.sequencer DEFAULT VALUES;

-- How far each partition of a consumer group has come.
CREATE TABLE events.cursor (
    "group" text NOT NULL,
    partition integer NOT NULL,
    incarnation uuid NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY ("group", partition)
);

-- Moves up to `batch` events from the outbox to the log and returns them. Only the holder of the sequencer's lease may.
--
-- Order: a key's version is taken under its row's lock, and published after, so of one key an earlier version is
-- visible whenever a later one is, and has the lower id.
CREATE FUNCTION events.advance(the_epoch bigint, batch integer) RETURNS SETOF events.log
LANGUAGE plpgsql AS $$
DECLARE
    base bigint;
    moved bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM events.outbox) THEN
        RETURN;
    END IF;
    PERFORM cluster.fence('sequencer', 0, the_epoch);
    SELECT s.position INTO base FROM events.sequencer s FOR NO KEY UPDATE;
    RETURN QUERY
        WITH taken AS (
            DELETE FROM events.outbox o
            WHERE o.id = ANY (ARRAY(SELECT i.id FROM events.outbox i ORDER BY i.id LIMIT batch))
            RETURNING o.*
        )
        INSERT INTO events.log (position, topic, key, version, owner, type, payload, created)
        SELECT base + row_number() OVER (ORDER BY t.id), t.topic, t.key, t.version, t.owner, t.type, t.payload, t.created
        FROM taken t
        RETURNING *;
    GET DIAGNOSTICS moved = ROW_COUNT;
    UPDATE events.sequencer s SET position = base + moved;
END
$$;
