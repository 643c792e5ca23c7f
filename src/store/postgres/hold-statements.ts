// What is written when a review holds an action again, and what is kept of the action's content.

/** Columns of a hold. */
export const holdTypes = {
  id: 'uuid',
  evaluation_id: 'uuid',
  expires_at: 'bigint',
  expiry_seconds: 'int',
  ends_with_session: 'boolean',
  callback_url: 'text',
  terms: 'text',
  grants: 'text',
  shown_tool: 'text',
} as const;
/** An operator who put the expiry off has the time that they wanted, however often the agent tries again. */
export const holding = (rows: string): string => `UPDATE reviews r SET evaluation_id = rows.evaluation_id,
    (expires_at, ends_with_session) = (SELECT CASE WHEN e.is THEN r.expires_at ELSE rows.expires_at END,
        CASE WHEN e.is THEN r.ends_with_session ELSE rows.ends_with_session END
      FROM (SELECT EXISTS (SELECT 1 FROM review_handling h WHERE h.review_id = r.id AND h.extended_at IS NOT NULL) AS is) AS e),
    expiry_seconds = rows.expiry_seconds, callback_url = coalesce(rows.callback_url, r.callback_url), terms = rows.terms,
    grants = rows.grants, shown_tool = rows.shown_tool
  FROM ${rows} WHERE r.id = rows.id`;

export const contentTypes = {
  review_id: 'uuid',
  input: 'text',
  target_key: 'text',
  target_metadata: 'text',
  callback_url: 'text',
  is_masked: 'boolean',
  rejection_counts: 'text',
} as const;
/** It is forgotten when the review expires, which an operator may have put off. */
export const writingContents = (rows: string): string => `INSERT INTO review_contents AS c
    (review_id, input, target_key, target_metadata, callback_url, is_masked, rejection_counts, forget_at)
  SELECT rows.review_id, rows.input, rows.target_key, rows.target_metadata, rows.callback_url, rows.is_masked,
    rows.rejection_counts, r.expires_at
  FROM ${rows} JOIN reviews r ON r.id = rows.review_id
  ON CONFLICT (review_id) DO UPDATE SET input = excluded.input, target_key = excluded.target_key,
    target_metadata = excluded.target_metadata, forget_at = excluded.forget_at,
    is_masked = excluded.is_masked, rejection_counts = excluded.rejection_counts,
    callback_url = coalesce(excluded.callback_url, c.callback_url)`;
