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

/**
 * The records of seen-identifiers.ts: an origin (kind 1 or 2) has a text and no digests; before its digests, a first sighting (3) has the
 * name of a field, and a list (4) a text. Digests come after their number in two bytes, each after its length in one.
 */
function digestsIn(bytes: Buffer): Set<string> {
  const digests = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at];
    if (kind === 1 || kind === 2) {
      at += 3 + bytes.readUInt16LE(at + 1);
      continue;
    }
    if (kind === 3) at += 4 + Math.max(0, bytes.readUInt8(at + 3) - 1);
    else if (kind === 4) at += 6 + bytes.readUInt32LE(at + 2);
    else throw new Error(`a record of sightings has the unknown kind ${kind}`);
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
