-- One statement, one commit: consume the fault that is to strike, insert the events.
-- $1 name, $2 is it a step, $3 order, $4 message, $5 delivery, $6 account, $7 instance, $8 worker number, $9 detail,
-- $10 the points at which a fault may be armed for this
WITH settings AS (
    SELECT coalesce((SELECT value::bigint FROM lab_settings WHERE name = 'slow_ms'), 0) AS slow_ms,
           coalesce((SELECT value::boolean FROM lab_settings WHERE name = 'step'), false) AS step
    WHERE $2::boolean
), armed AS (
    SELECT id, point, action, times, duration_ms, skip,
           action = 'hold' AND arrivals > 1 AS gathers, arrived + 1 >= arrivals AS complete
    FROM lab_faults
    WHERE point = ANY($10::text[]) AND times > 0
      AND account IN ('', $6) AND worker IN (0, $8) AND delivery IN (0, $5)
    ORDER BY id LIMIT 1 FOR UPDATE
), counted AS ( -- those who gather are one strike together, when the last of them comes
    UPDATE lab_faults f
    SET skip = greatest(f.skip - 1, 0),
        times = CASE WHEN armed.skip > 0 OR (gathers AND NOT complete) THEN f.times ELSE f.times - 1 END,
        arrived = CASE WHEN armed.skip > 0 OR NOT gathers THEN f.arrived WHEN complete THEN 0 ELSE f.arrived + 1 END
    FROM armed WHERE f.id = armed.id
), fired AS (
    SELECT * FROM armed WHERE skip = 0
), waiting AS ( -- a hang stands in the list too, so that a reset can let it go
    INSERT INTO lab_waits (instance, step, message_id, fault, round)
    SELECT $7, $1, $4, coalesce(fired.id, 0), CASE WHEN gathers THEN times ELSE 0 END
    FROM settings LEFT JOIN fired ON true
    WHERE step OR action = 'hang' OR (action = 'hold' AND NOT (gathers AND complete))
    RETURNING id
), events AS (
    INSERT INTO lab_trace (order_id, message_id, delivery, instance, step, detail)
    SELECT $3, $4, $5, $7, $1, $9::jsonb
    UNION ALL
    SELECT $3, $4, $5, $7, 'step.waiting', jsonb_build_object('point', $1::text) FROM waiting
    UNION ALL
    SELECT $3, $4, $5, $7, 'fault.fired', jsonb_build_object('point', point, 'action', action, 'fault', id) FROM fired
)
SELECT coalesce((SELECT point FROM fired), ''),
       coalesce((SELECT action FROM fired), ''),
       coalesce((SELECT duration_ms FROM fired), 0),
       coalesce((SELECT slow_ms FROM settings), 0),
       coalesce((SELECT id FROM waiting), 0)
