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

for (let file = await next(); file !== null; ) {
  const before = process.cpuUsage();
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    t.fail('it cannot be loaded', { error });
  }
  // Begins when every test of the file has ended. It waits for the next file, because between two tests tap's outermost test may end.
  await t.test(`end of ${file}`, async (t) => {
    const { user, system } = process.cpuUsage(before);
    t.comment(`processor ${(user + system) / 1e6}`);
    file = await next();
  });
}
