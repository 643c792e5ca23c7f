import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';

type Say = (sentence: string) => void;

/**
 * What sessions have seen, told by the names of tools: a name that was let through is in the bytes of its session, and no other
 * is. Only for databases whose policies ask for all that is seen, as that of the load does (`policy`).
 */
export function auditSightings(client: Database, say: Say): void {
  const salt = client.prepare<[], string>('SELECT salt FROM installation_salts').pluck().get();
  const digestOf = (name: string): string =>
    createHash('sha256').update(`${salt} ${name}`).digest('base64url').slice(0, 22);
  const tools = client
    .prepare<[], string>("SELECT DISTINCT tool FROM evaluations WHERE phase = 'ACTION' AND tool <> ''")
    .pluck()
    .all()
    .map((tool) => ({ tool, digest: digestOf(tool) }));
  const letThrough = client
    .prepare<[number], string>(
      `SELECT DISTINCT tool FROM evaluations
       WHERE session_id = ? AND phase = 'ACTION' AND enforcement_action IN ('ALLOW', 'WARN')`,
    )
    .pluck();
  const blocks = client
    .prepare<[number], Buffer>('SELECT data FROM sightings WHERE session_id = ? ORDER BY block')
    .pluck();
  const sessions = client
    .prepare<[], { id: number; uid: string; open: Buffer | null; blocks: number; count: number }>(
      `SELECT s.id, s.uid, t.sightings AS open, t.sighting_blocks AS blocks, t.sighting_count AS count
       FROM session_states t JOIN evaluation_sessions s ON s.id = t.session_id
       WHERE s.status = 'ACTIVE' AND t.sighting_count > 0`,
    )
    .all();
  const unmarked = client
    .prepare<[], number>('SELECT session_id FROM session_states WHERE has_sightings <> (sighting_count > 0)')
    .pluck();
  for (const id of unmarked.all()) say(`session ${id} says wrongly whether it has sightings`);
  for (const { id, uid, open, blocks: blockCount, count } of sessions) {
    const full = blocks.all(id);
    if (full.length !== blockCount) say(`session ${uid} has ${full.length} blocks and says ${blockCount}`);
    const seen = digestsIn(Buffer.concat([...full, open ?? Buffer.alloc(0)]));
    if (seen.size !== count) say(`session ${uid} has ${seen.size} identifiers and says ${count}`);
    const names = new Set(letThrough.all(id));
    for (const { tool, digest } of tools)
      if (seen.has(digest) !== names.has(tool))
        say(`session ${uid} has ${names.has(tool) ? 'not ' : ''}seen ${tool}`);
  }
}

/** Each group: a text after its length in four bytes, and digests after their number in two, each after its length in one. */
function digestsIn(bytes: Buffer): Set<string> {
  const digests = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    at += 4 + bytes.readUInt32LE(at);
    const count = bytes.readUInt16LE(at);
    at += 2;
    for (let n = 0; n < count; n++) {
      const end = at + 1 + bytes.readUInt8(at);
      digests.add(bytes.toString('latin1', at + 1, end));
      at = end;
    }
  }
  return digests;
}
