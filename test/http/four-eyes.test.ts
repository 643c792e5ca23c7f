import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { proposedOperations } from '../../src/features/proposals/words.ts';
import { type DescribedRoute, describedRoutes } from '../helpers/described-routes.ts';
import { attempts } from './four-eyes/attempts.ts';
import { exceptions } from './four-eyes/exceptions.ts';
import { loosened, openScene, type Scene } from './four-eyes/scene.ts';

const docs = readFileSync(join(import.meta.dirname, '../../docs/operators.md'), 'utf8');
const strictness = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'];

/** The rows of the table of the docs whose first heading this is. */
function tableOf(heading: string): string[][] {
  const [, rows = ''] = docs.split(new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|: ]+\\|\\n`, 'm'));
  const lines = rows.slice(0, rows.search(/^[^|]/m)).trimEnd().split('\n');
  return lines.map((line) => line.slice(2, -2).split(' | '));
}

const isCall =
  ({ method, path }: DescribedRoute) =>
  (call: Scene['calls'][number]): boolean =>
    call.method === method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(call.url);

/** The routes that an operator may change something by. */
const changing = async (scene: Scene): Promise<DescribedRoute[]> =>
  (await describedRoutes(scene.app)).filter(
    ({ method, callers }) => method !== 'GET' && callers !== 'integration',
  );

t.test('every route by which operators change something has an attempt or is an exception', async (t) => {
  const routes = await describedRoutes((await openScene(t)).app);
  const operations = routes
    .filter(({ method, callers }) => method !== 'GET' && callers !== 'integration')
    .map(({ operationId }) => operationId);
  const known = new Set([...Object.keys(attempts), ...Object.keys(exceptions)]);
  t.strictSame([...known].sort(), operations.sort());
});

t.test('one operator who has all permissions lets nothing pass, whatever the route', async (t) => {
  let scene = await openScene(t);
  let before = await scene.decisions();
  t.strictSame(
    before,
    Object.fromEntries(
      Object.keys(before).map((name) => [name, / held/.test(name) ? 'APPROVAL_REQUIRED' : 'BLOCK']),
    ),
    'everything is stopped',
  );
  for (const route of await changing(scene)) {
    for (const [place, attempt] of (attempts[route.operationId] ?? []).entries()) {
      const name = `${route.operationId} ${place + 1}`;
      scene.calls.length = 0;
      await attempt(scene);
      const called = scene.calls.filter(isCall(route));
      t.ok(called.length > 0, `${name}: calls the route`);
      for (const { status, text } of called) t.notOk([400, 404, 405].includes(status), `${name}: ${text}`);
      const after = await scene.decisions();
      t.strictSame(loosened(before, after), [], name);
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      // It made something stricter: the next one needs the scene as it was.
      scene = await openScene(t);
      before = await scene.decisions();
    }
  }
});

t.test('the exceptions let something pass, and the docs name each with its reason', async (t) => {
  for (const route of await changing(await openScene(t))) {
    const exception = exceptions[route.operationId];
    if (!exception) continue;
    const scene = await openScene(t);
    const [before, after] = await exception.loosens(scene);
    t.ok(scene.calls.some(isCall(route)), `${route.operationId}: calls the route`);
    t.ok(strictness.indexOf(after) < strictness.indexOf(before), `${route.operationId}: ${before}, ${after}`);
  }
  t.strictSame(
    tableOf('One operator may'),
    Object.entries(exceptions).map(([operation, { why }]) => [`\`${operation}\``, why]),
  );
});

t.test('the docs name every operation that can be proposed', (t) => {
  t.strictSame(
    tableOf('`operation`').map(([operation]) => operation),
    proposedOperations.map((operation) => `\`${operation}\``),
  );
  t.end();
});
