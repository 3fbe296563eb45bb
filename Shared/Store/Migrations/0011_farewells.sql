-- BYEs that nobody has answered yet: whoever takes the slot over says them again.

CREATE TABLE calls.farewell (
    slot integer NOT NULL CHECK (slot BETWEEN 0 AND 63),
    -- Ours, which is unique among the dialogs.
    local_tag text NOT NULL,
    -- What it takes to say it (`Farewell`).
    farewell jsonb NOT NULL,
    begun timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, local_tag)
);
