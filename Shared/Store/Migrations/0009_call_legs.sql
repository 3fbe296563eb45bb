-- Calls between any two parties, and everything that a process needs to go on with one.

ALTER TABLE calls.call
    -- The side that is a user of ours: the caller, the callee or both.
    ADD COLUMN caller_account_id uuid,
    ADD COLUMN caller_user_id uuid,
    ADD COLUMN caller_persona_id uuid,
    ADD COLUMN caller_phone_number_id uuid,
    ADD COLUMN caller_identity text,
    ALTER COLUMN callee_user_id DROP NOT NULL,
    ALTER COLUMN callee_identity DROP NOT NULL,
    -- Dialogs, legs, descriptions and the state of the call's machine (`CallContinuation`), while the call lives.
    ADD COLUMN continuation jsonb,
    DROP COLUMN dialog,
    DROP COLUMN dialog_confirmed,
    DROP COLUMN voicemail_id;
ALTER TABLE calls.call ADD CHECK (callee_user_id IS NOT NULL OR caller_user_id IS NOT NULL);
