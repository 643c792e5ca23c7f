import { join } from 'node:path';
import t from 'tap';
import { isPostgres } from '../../src/store/address.ts';
import { adminKey, newDatabase, startApp, temporaryFolder } from '../helpers/app.ts';
import { openBeside } from '../helpers/database-beside.ts';

const document = `
schemaVersion: 1
name: counts-customers
counters:
  of_customer: { over: integration, per: input.customer, within: 24h }
rules:
  - id: often
    when: tool == "look" && counters.of_customer[input.customer] >= 2
    effect: BLOCK
    severity: HIGH
  - id: repeated
    when: session.repeats >= 2
    effect: WARN
    severity: LOW
  - id: seen
    when: size(seen(input.customer)) > 5
    effect: WARN
    severity: LOW
  - id: held
    when: tool == "pay"
    effect: APPROVAL_REQUIRED
    severity: HIGH
    approval: { grant: { same: [tool, input.customer], uses: 5 } }
`;
/** More than a scope keeps inline. */
const customers = Array.from({ length: 60 }, (_, place) => `customer-${place}`);

/** In the bytes of a state, which have each digest after its length. */
const digestsIn = (bytes: string): string[] => bytes.match(/[\w-]{22}/g) ?? [];

/** Sends the same to an installation of its own, and answers the hashes of content that it stores. */
async function hashesOf(t: Parameters<typeof startApp>[0]): Promise<Record<string, string[]>> {
  // The files of other tests are copies of one, with its salt.
  const copied = await newDatabase(t);
  const database = isPostgres(copied) ? copied : join(temporaryFolder(t), 'assize.db');
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' }, { database });
  const { id, key } = await app.integration();
  await app.policy(id, document);
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const evaluate = async (input: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input, sessionId: body.data.id })).body.data;
  for (const customer of customers) await evaluate({ tool: 'look', customer });
  for (const verb of ['approve', 'reject']) {
    const { reviewRequestId } = await evaluate({ tool: 'pay', customer: verb });
    await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/${verb}`, {});
  }
  const beside = await openBeside(t, app.database);
  const values = async (column: string, table: string): Promise<string[]> =>
    (await beside.rows(`SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`)).map(
      ({ value }) => String(value),
    );
  return {
    cells: await values('key', 'counter_cells'),
    inputs: await values('input_hash', 'reviews'),
    rejections: await values('rejection_hash', 'reviews'),
    sightings: isPostgres(database)
      ? await values('digest', 'sightings')
      : (await values('sightings', 'session_states')).flatMap(digestsIn),
  };
}

t.test('two installations store no hash of the same content alike', async (t) => {
  const [one, other] = [await hashesOf(t), await hashesOf(t)];
  t.ok((one.cells?.length ?? 0) > 0, 'some counters have rows of their own');
  t.ok((one.sightings?.length ?? 0) > 0, 'and identifiers were seen');
  t.equal(one.inputs?.length, 2);
  for (const [name, hashes] of Object.entries(one))
    t.strictSame(
      hashes.filter((hash) => other[name]?.includes(hash)),
      [],
      name,
    );
});

t.test('a counter split by content counts on after a restart', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, document);
  const look = ({ call }: typeof app) =>
    call(key, 'POST', '/v1/evaluate', { input: { tool: 'look', customer: 'c' } });
  for (const expected of ['ALLOW', 'ALLOW']) t.equal((await look(app)).body.data.enforcementAction, expected);
  const again = await startApp(t, {}, { database: app.database, clock: app.clock });
  t.equal(again.store.salt, app.store.salt);
  t.equal((await look(again)).body.data.enforcementAction, 'BLOCK');
});
