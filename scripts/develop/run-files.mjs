import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

// The process that runs test files, one after another and each to its end: scripts/develop/test-processes.mjs sends the name of the next one, or
// null, each time it is asked, and reads what this process writes. The names are no arguments: tap makes names of folders of those.
async function next() {
  const answer = once(process, 'message');
  // tap lets a process end that waits for a message. While a file runs, only the file keeps it.
  process.channel.ref();
  process.send('next');
  const [file] = await answer;
  process.channel.unref();
  return file;
}

// With a teardown of its own, tap's outermost test ends as soon as it is idle for a moment, as while a file is loaded on a busy machine. What a file
// tears down outside of its tests is torn down when they have ended.
const teardowns = [];
t.teardown = (teardown) => void teardowns.push(teardown);

for (let file = await next(); file !== null; ) {
  const before = process.cpuUsage();
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    t.fail('it cannot be loaded', { error });
  }
  const hasNext = Promise.withResolvers();
  // Begins when every test of the file has ended. It waits for the next file, because between two tests tap's outermost test may end.
  await t.test(`end of ${file}`, async (t) => {
    const { user, system } = process.cpuUsage(before);
    t.comment(`processor ${(user + system) / 1e6}`);
    for (const teardown of teardowns.splice(0).reverse()) await teardown();
    file = await next();
    hasNext.resolve();
  });
  // An unhandled rejection ends the running test. If that is the test above, it has ended before the next file is known, and this file would run again.
  await hasNext.promise;
}

// What a process keeps for all of its files, such as a browser, ends with the last of them.
for (const end of process.listeners('filesEnded')) await end();
