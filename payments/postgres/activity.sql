-- One reading of what is still on its way, as far as the database can tell.
WITH alive AS (
    SELECT instance, role, ready FROM processes WHERE ended_at IS NULL AND process_alive(instance)
), last_word AS ( -- each process's newest word on each of its turns
    SELECT DISTINCT ON (t.instance, t.message_id, t.delivery) t.instance, t.step, t.message_id, t.row_id, t.at
    FROM lab_trace t JOIN processes p USING (instance)
    WHERE t.step IN ('broker.deliver', 'worker.received', 'worker.acked', 'worker.settled',
            'relay.claimed', 'relay.published', 'relay.marked', 'mail.claimed', 'mail.sent', 'mail.marked')
      AND (p.ended_at IS NULL OR p.ended_at > clock_timestamp() - interval '2 seconds')
    ORDER BY t.instance, t.message_id, t.delivery, t.row_id DESC
), unsettled AS ( -- a turn ends with its last step; a process that died after an ack or a mark never says so
    SELECT l.* FROM last_word l LEFT JOIN alive a USING (instance)
    WHERE (l.step IN ('broker.deliver', 'worker.received') OR (a.instance IS NOT NULL AND l.step IN
            ('worker.acked', 'relay.claimed', 'relay.published', 'mail.claimed', 'mail.sent')))
      -- What was said while this server was down, nobody has heard: a turn from before it may be over.
      AND (l.at > pg_postmaster_start_time() OR pg_postmaster_start_time() > clock_timestamp() - interval '20 seconds')
)
SELECT
    -- rows and letters that are not sent
    (SELECT count(*) FROM outbox WHERE sent_at IS NULL) + (SELECT count(*) FROM mail_outbox WHERE sent_at IS NULL),
    -- deliveries in the hands of living workers
    (SELECT count(*) FROM unsettled JOIN alive USING (instance) WHERE role = 'worker'),
    -- what the broker has been given, and nobody has seen: the broker counts a delivered message as
    -- neither ready nor, for us to see, unacked
    EXISTS (SELECT FROM outbox x CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE t.step = 'fault.fired' AND t.detail->>'point' = 'broker.duplicate')
                    + count(*) FILTER (WHERE t.step = 'worker.settled' AND t.detail->>'how' = 'retry') AS more,
                count(*) FILTER (WHERE t.step = 'broker.deliver' AND NOT (t.detail->>'redelivered')::boolean) AS seen,
                max(coalesce((t.detail->>'due_at')::timestamptz, '-infinity')) AS due
            FROM lab_trace t WHERE t.message_id = x.message_id::text
                AND t.step IN ('fault.fired', 'worker.settled', 'broker.deliver')
        ) t
        WHERE x.sent_at IS NOT NULL
        GROUP BY x.message_id, more, seen, due
        HAVING seen < count(*) + more
            AND greatest(max(x.sent_at), due) > clock_timestamp() - interval '10 seconds')
    -- a row or a letter that is marked, and whose relay or mailer has still to say so
    OR EXISTS (SELECT FROM unsettled JOIN alive USING (instance) WHERE role <> 'worker')
    -- a dead letter that is not kept yet
    OR EXISTS (SELECT FROM lab_trace t WHERE t.step = 'worker.settled' AND t.detail->>'how' = 'dead-letter'
        AND t.at > clock_timestamp() - interval '30 seconds'
        AND NOT EXISTS (SELECT FROM dead_letters d WHERE d.message_id = t.message_id))
    -- a worker that is about to consume
    OR EXISTS (SELECT FROM alive WHERE role = 'worker' AND NOT ready)
    -- a process that died so short a time ago that what it held may not be back in its queue
    OR EXISTS (SELECT FROM processes p WHERE p.ended_at > clock_timestamp() - interval '250 milliseconds'
        OR (p.ended_at IS NULL AND NOT process_alive(p.instance)))
    -- a delivery of a worker that died with it, and that has not come back yet
    OR EXISTS (SELECT FROM unsettled u LEFT JOIN alive USING (instance)
        WHERE alive.instance IS NULL AND NOT EXISTS (SELECT FROM lab_trace t
            WHERE t.message_id = u.message_id AND t.step = 'broker.deliver' AND t.row_id > u.row_id)),
    (SELECT coalesce(max(row_id), 0) FROM lab_trace)
