import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { compileArguments } from '../../src/evaluate/catalogue.ts';
import { compileSchema } from '../../src/json-schema/compile.ts';

interface Group {
  description: string;
  schema: boolean | Record<string, unknown>;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const drafts = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
};
const folder = new URL('../fixtures/json-schema-test-suite/', import.meta.url);
const json = (path: string, from: URL | string) => JSON.parse(readFileSync(new URL(path, from), 'utf8'));

/** What is refused when a schema is saved, on purpose: the message, and the groups by draft and file. */
const refused: { message: string; tests: Record<string, Record<string, string[]>> }[] = json(
  'refused.json',
  import.meta.url,
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

for (const [draft, uri] of Object.entries(drafts)) {
  t.test(`the official suite passes, but for what is refused on purpose: ${draft}`, async (t) => {
    let compared = 0;
    for (const file of readdirSync(new URL(draft, folder))) {
      for (const { description, schema, tests } of json(`${draft}/${file}`, folder) as Group[]) {
        const name = `${file}: ${description}`;
        const saved = isObject(schema) ? { $schema: uri, ...schema } : schema;
        const why = refused.find(({ tests }) => tests[draft]?.[file]?.includes(description));
        if (why) {
          t.throws(
            () => compileSchema(saved),
            { message: new RegExp(why.message.replaceAll(/[$.]/g, '\\$&')) },
            name,
          );
          continue;
        }
        const matches = compileSchema(saved);
        const wrong = tests.filter(({ data, valid }) => (matches(data) === null) !== valid);
        t.strictSame(wrong, [], name);
        compared += tests.length;
        if (!isObject(saved)) continue;
        const check = compileArguments(saved);
        const asArguments = tests.filter(
          ({ data, valid }) => isObject(data) && (check({ nested: [data], own: {} }) === null) !== valid,
        );
        t.strictSame(asArguments, [], `${name}, as the arguments of a call`);
      }
    }
    t.ok(compared > 800, `${compared} values`);
  });
}
