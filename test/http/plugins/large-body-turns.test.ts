import type { FastifyInstance, FastifyRequest } from 'fastify';
import t from 'tap';
import { inTurn, readBody } from '../../../src/http/plugins/json-body.ts';

const parse = inTurn({ turnToParse: () => null } as unknown as FastifyInstance, readBody);
const filler = `"text":"${'x'.repeat(70_000)}"`;

/** What the parser says at once, and in the next turns; null for nothing. */
async function saidOf(text: string) {
  let said: { error: Error | null; value: unknown } | null = null;
  parse({} as FastifyRequest, Buffer.from(text), (error, value) => {
    said = { error, value };
  });
  const atOnce = said as { error: Error | null; value: unknown } | null;
  let turns = 0;
  for (; turns < 100 && !said; turns++) await new Promise((resolve) => setImmediate(resolve));
  return { atOnce, turns, later: said as { error: Error | null; value: unknown } | null };
}

t.test('#36: a large body that must be read exactly is read again in a turn of its own', async (t) => {
  for (const [member, key, value] of [
    ['"n":9007199254740993', 'n', 9007199254740993n],
    ['"\\u006e":1', 'n', 1],
  ] as const) {
    const { atOnce, later } = await saidOf(`{${filler},${member}}`);
    t.equal(atOnce, null, member);
    t.match(later?.value, { [key]: value });
    t.ok((await saidOf(`{${member}}`)).atOnce, 'a small one is read at once');
  }
  const twice = await saidOf(`{${filler},"n":0,"n":1}`);
  t.equal(twice.atOnce, null);
  t.match(twice.later?.error, { code: 'invalid' });
  t.ok((await saidOf(`{${filler},"n":1}`)).atOnce, 'as is one that needs it not');
});

t.test(
  'a large body that is no JSON is looked through in many turns, for the place of the mistake',
  async (t) => {
    const { atOnce, turns, later } = await saidOf(`{"input":[${'1,'.repeat(200_000)}\n]}`);
    t.equal(atOnce, null);
    t.ok(turns > 40, `${turns} turns`);
    t.match(later?.error, { message: /line 2, column 1: expected a value/ });
  },
);

t.test('large numbers among many are read in many turns', async (t) => {
  const { turns, later } = await saidOf(`{"input":[${'1,'.repeat(200_000)}9007199254740993]}`);
  t.ok(turns > 40, `${turns} turns`);
  const last = (later as { value: { input: unknown[] } }).value.input.at(-1);
  t.equal(last, 9007199254740993n);
});

t.test('a large body that is nested deeply is refused before it is parsed', async (t) => {
  const text = `{"input":${'['.repeat(500_000)}`;
  // Parsed, it would be no JSON.
  t.match((await saidOf(text)).atOnce?.error, {
    details: [{ message: 'must not be nested deeper than 64 levels', path: `/input${'/0'.repeat(63)}` }],
  });
  const wide = `{"input":[${'[],"[{",'.repeat(20_000)}0]}`;
  t.equal((await saidOf(wide)).atOnce?.error, null);
});
