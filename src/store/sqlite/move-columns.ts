// Columns of what moves to another database: ids instead of rows, and positions.

export const integration = (of: string) =>
  `(SELECT id FROM integrations i WHERE i.row = ${of}) AS integration_id`;
export const session = (of: string) =>
  `(SELECT uid FROM evaluation_sessions s WHERE s.id = ${of}) AS session_id`;
export const policySet = (of: string) =>
  `(SELECT sha256(members) FROM policy_sets m WHERE m.id = ${of}) AS policy_set_id`;
export const review = `(SELECT uid FROM reviews r WHERE r.id = review_id) AS review_id`;
/** Of an evaluation, by its row; 0 for none. The function is that of `move-source.ts`, as are all that SQLite does not have. */
export const position = (of: string) => `position(${of}) AS position`;
/** Of what has a place after an evaluation: first the entries of the record, then the changes of sessions. */
const rank = 'row_number() OVER (PARTITION BY after_evaluation_id ORDER BY id)';
export const entryPosition = `position(after_evaluation_id) + ${rank} AS position`;
export const changePosition = `position(after_evaluation_id) + ${rank} + (SELECT count(*) FROM record_entries e
  WHERE e.after_evaluation_id = session_changes.after_evaluation_id) AS position`;

/** All tools in the order of first use: of those in the row, and of those that have rows of their own. */
export function toolCounts(column: string, further: string): string {
  return `(SELECT json_group_array(json(pair)) FROM (
      SELECT value AS pair FROM json_each(${column})
      UNION ALL SELECT * FROM (SELECT json_array(tool, call_count) FROM ${further} f WHERE f.session_id = session_states.session_id ORDER BY first_seq)
    )) AS ${column}`;
}
