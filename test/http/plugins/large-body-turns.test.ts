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
  const atOnce = said as typeof said;
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  return { atOnce, later: said as { error: Error | null; value: unknown } | null };
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
