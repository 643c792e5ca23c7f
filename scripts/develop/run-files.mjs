import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

// The process that runs test files: one after another, each to its end. scripts/develop/test-processes.mjs reads what it writes. The files are
// no arguments: tap makes names of folders of those.
const files = JSON.parse(process.env.ASSIZE_TEST_FILES);
delete process.env.ASSIZE_TEST_FILES;
for (const file of files) {
  const before = process.cpuUsage();
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    t.fail('it cannot be loaded', { error });
  }
  // Begins when every test of the file has ended.
  await t.test(`end of ${file}`, async (t) => {
    const { user, system } = process.cpuUsage(before);
    t.comment(`processor ${(user + system) / 1e6}`);
  });
}
