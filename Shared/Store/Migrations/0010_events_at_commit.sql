-- Events that a transaction moves to the log itself, at its commit, when nobody else moves any: one sync for both.

-- Moves up to `batch` events from the outbox to the log, behind position `base`, and returns them. The row of the sequencer,
-- from which `base` was read, must be locked: that is what makes positions dense, whoever moves.
CREATE FUNCTION events.move(base bigint, batch integer) RETURNS SETOF events.log
LANGUAGE plpgsql AS $$
DECLARE
    moved bigint;
BEGIN
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

-- For the holder of the sequencer's lease.
CREATE OR REPLACE FUNCTION events.advance(the_epoch bigint, batch integer) RETURNS SETOF events.log
LANGUAGE plpgsql AS $$
DECLARE
    base bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM events.outbox) THEN
        RETURN;
    END IF;
    PERFORM cluster.fence('sequencer', 0, the_epoch);
    SELECT s.position INTO base FROM events.sequencer s FOR NO KEY UPDATE;
    RETURN QUERY SELECT * FROM events.move(base, batch);
END
$$;

-- For a transaction that has published and commits next; waits for nobody. Nothing: whoever moves events just now, or the
-- sequencer after that, takes ours too.
--
-- Order: of a key, whose row's lock this transaction has, all earlier versions are committed, so they are in the log or
-- seen in the outbox, with lower ids. A snapshot older than the lock would not see them: hence one for each statement.
CREATE FUNCTION events.advance_at_commit(batch integer) RETURNS SETOF events.log
LANGUAGE plpgsql AS $$
DECLARE
    base bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RETURN;
    END IF;
    SELECT s.position INTO base FROM events.sequencer s FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        RETURN QUERY SELECT * FROM events.move(base, batch);
    END IF;
END
$$;
