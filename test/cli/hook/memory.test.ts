import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openMemory } from '../../../src/cli/hook/conversation.ts';
import { temporaryFolder } from '../../helpers/app.ts';

t.test('a conversation remembers its own, in files that only their owner can read', async (t) => {
  const folder = join(temporaryFolder(t), 'state');
  const memory = openMemory(folder, 'server', 'key', 'one');
  t.equal(memory.recall('session'), null);
  memory.keep('session', 's-1');
  t.equal(openMemory(folder, 'server', 'key', 'one').recall('session'), 's-1');
  t.equal(openMemory(folder, 'server', 'another key', 'one').recall('session'), null);
  const [name = ''] = readdirSync(folder);
  t.match(name, /^[0-9a-f]{32}$/, 'whatever characters its id has');
  t.equal(statSync(join(folder, name)).mode & 0o077, 0);
  memory.forget('session');
  t.equal(memory.recall('session'), null);
  memory.forget('session');
});

t.test('the end of a conversation forgets it, and those that ended without a word a month ago', async (t) => {
  const folder = join(temporaryFolder(t), 'state');
  const [old, recent, ending] = ['old', 'recent', 'ending'].map((name) => openMemory(folder, name));
  old?.keep('session', 'o');
  const [oldFolder = ''] = readdirSync(folder);
  recent?.keep('session', 'r');
  ending?.keep('session', 'e');
  const longAgo = Date.now() / 1_000 - 31 * 86_400;
  utimesSync(join(folder, oldFolder), longAgo, longAgo);
  ending?.clear();
  t.strictSame(
    [old, recent, ending].map((one) => one?.recall('session')),
    [null, 'r', null],
  );
  openMemory(join(folder, 'nowhere'), 'x').clear();
});
