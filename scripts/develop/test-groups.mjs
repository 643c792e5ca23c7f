import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A process takes a second of processor time until its first test, for most files more than their tests do: files of a
// part of the service share one. What tap runs is a file for each group, which imports them one after another.

const folder = 'build/test-groups';
/** Files in a process: enough to share the start, and few enough that two processes end at about the same time. */
const most = 8;
/** Tests that kill processes, or start three replicas, take minutes: on a slow machine, eight files would reach the time limit of a process. */
const mostOf = { durability: 2, replicas: 2 };

/** What a file does to its process or to tap's outermost test would reach the other files: such a file runs alone. */
const isAlone = (source) =>
  /^(await\b|process\.env|t\.(before|after|beforeEach|afterEach|setTimeout|teardown))|memoryUsage|\.rss\b/m.test(
    source,
  );

/**
 * Paths of files that import these test files, for tap. tap runs them in the order of their names. Those that run alone begin with 0: some
 * take minutes, and started last they would prolong the run.
 */
export function groupTests(paths) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = paths.map((path) => path.replaceAll('\\', '/')).sort();
  const alone = files.filter((file) => isAlone(readFileSync(file, 'utf8')));
  const shared = files.filter((file) => !alone.includes(file));
  const byFolder = Map.groupBy(shared, (file) => file.split('/').slice(1, -1)[0] ?? 'test');
  return [
    ...alone.map((file) =>
      group(`0-${file.replace(/^test\/|\.test\.\w+$/g, '').replaceAll('/', '-')}`, [file]),
    ),
    ...[...byFolder].flatMap(([name, inside]) => {
      const size = mostOf[name] ?? most;
      return Array.from({ length: Math.ceil(inside.length / size) }, (_, place) =>
        group(`${name}-${place + 1}`, inside.slice(place * size, (place + 1) * size)),
      );
    }),
  ];
}

function group(name, files) {
  const file = join(folder, `${name}.test.mjs`);
  writeFileSync(file, files.map((one) => `import '../../${one}';\n`).join(''));
  return file;
}
