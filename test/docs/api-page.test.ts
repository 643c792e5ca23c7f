import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type ApiDescription, withReference } from '../../scripts/docs/api-reference.ts';
import { root } from '../helpers/process.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/api.md');
const description: ApiDescription = JSON.parse(read('docs/openapi.json'));

t.test('the reference is what the routes say: npm run openapi writes it', async (t) => {
  t.equal(page, withReference(page, description));
});

t.test('it has every operation, who may ask for it, and fields inside of lists', async (t) => {
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const method of Object.keys(operations))
      t.ok(page.includes(`\n### ${method.toUpperCase()} ${path}\n`));
  }
  t.notMatch(page, /undefined|\[object/);
  t.match(page, /\| `violations\[\]\.ruleId` \| string \|/);
  t.match(page, /Needs a key of an operator; responds with 201/);
});
