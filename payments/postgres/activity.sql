-- One reading of what is still on its way, as far as the database can tell.
WITH alive AS (
    SELECT instance, role, ready FROM processes WHERE ended_at IS NULL AND process_alive(instance)
), last_word AS ( -- each worker's newest word on each of its turns
    SELECT DISTINCT ON (t.instance, t.message_id, t.delivery) t.instance, t.step, t.message_id, t.row_id, p.ended_at
    FROM lab_trace t JOIN processes p USING (instance)
    WHERE t.step IN ('worker.received', 'worker.acked', 'worker.settled') AND p.role = 'worker'
      AND (p.ended_at IS NULL OR p.ended_at > clock_timestamp() - interval '2 seconds')
    ORDER BY t.instance, t.message_id, t.delivery, t.row_id DESC
), unsettled AS ( -- a turn ends with worker.settled; a process that died after its ack never says so
    SELECT l.* FROM last_word l LEFT JOIN alive a USING (instance)
    WHERE l.step = 'worker.received' OR (l.step = 'worker.acked' AND a.instance IS NOT NULL)
)
SELECT
    -- rows and letters that are not sent
    (SELECT count(*) FROM outbox WHERE sent_at IS NULL) + (SELECT count(*) FROM mail_outbox WHERE sent_at IS NULL),
    -- deliveries in the hands of living workers
    (SELECT count(*) FROM unsettled JOIN alive USING (instance)),
    -- what the broker has been given, and nobody has seen: the broker counts a delivered message as
    -- neither ready nor, for us to see, unacked
    EXISTS (SELECT FROM outbox x JOIN attempts a USING (message_id)
        WHERE x.sent_at IS NOT NULL
        GROUP BY x.message_id, a.deliveries
        HAVING a.deliveries < count(*) + (SELECT count(*) FROM lab_trace t -- published twice
                WHERE t.message_id = x.message_id::text AND t.step = 'fault.fired'
                AND t.detail->>'point' = 'broker.duplicate')
            AND max(x.sent_at) > clock_timestamp() - interval '30 seconds')
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
