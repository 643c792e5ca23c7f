import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { unpack } from '../../src/binary/unpacked.ts';
import { temporaryFolder } from '../helpers/app.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const files = new Map([
  ['addon.node', bytes('machine code')],
  ['migrations/0000.sql', bytes('CREATE TABLE t (x);')],
]);
const modeOf = (path: string) => statSync(path).mode & 0o777;
const isRoot = process.geteuid?.() === 0;

t.test('what is unpacked can be read and written by its user only', async (t) => {
  const folder = join(temporaryFolder(t), 'cache', 'abc');
  unpack(folder, files);
  t.equal(readFileSync(join(folder, 'migrations/0000.sql'), 'utf8'), 'CREATE TABLE t (x);');
  for (const inside of ['.', '..', 'migrations']) t.equal(modeOf(join(folder, inside)), 0o700, inside);
  for (const file of files.keys()) t.equal(modeOf(join(folder, file)), 0o600, file);
});

t.test('a second start writes nothing, and only what was changed or removed is put back', async (t) => {
  const folder = temporaryFolder(t);
  unpack(folder, files);
  const before = [...files.keys()].map((file) => lstatSync(join(folder, file)).ino);
  unpack(folder, files);
  t.strictSame(
    [...files.keys()].map((file) => lstatSync(join(folder, file)).ino),
    before,
  );
  writeFileSync(join(folder, 'addon.node'), 'another code');
  unpack(folder, files);
  t.equal(readFileSync(join(folder, 'addon.node'), 'utf8'), 'machine code');
  t.strictSame(readdirSync(folder).sort(), ['addon.node', 'migrations'], 'no part is left behind');
});

t.test('a link in the place of a file is replaced, and what it leads to stays as it was', async (t) => {
  const folder = temporaryFolder(t);
  const elsewhere = join(temporaryFolder(t), 'elsewhere');
  writeFileSync(elsewhere, 'machine code');
  symlinkSync(elsewhere, join(folder, 'addon.node'));
  unpack(folder, files);
  t.ok(lstatSync(join(folder, 'addon.node')).isFile());
  t.ok(lstatSync(elsewhere).isFile());
});

t.test('a link in the place of a folder inside is refused', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(temporaryFolder(t), join(folder, 'migrations'));
  t.throws(() => unpack(folder, files), { message: `${join(folder, 'migrations')} is not a folder` });
});

t.test('a file that others may write is replaced, though its content is right', async (t) => {
  const folder = temporaryFolder(t);
  unpack(folder, files);
  chmodSync(join(folder, 'addon.node'), 0o666);
  unpack(folder, files);
  t.equal(modeOf(join(folder, 'addon.node')), 0o600);
});

t.test('a folder that others may write, or one above it, is refused', async (t) => {
  const open = temporaryFolder(t);
  chmodSync(open, 0o777);
  t.throws(() => unpack(open, files), { message: `${open} can be written by other users` });
  t.throws(() => unpack(join(open, 'mine'), files), { message: `${open} can be written by other users` });
  chmodSync(open, 0o770);
  t.throws(() => unpack(join(open, 'mine'), files), { message: `${open} can be written by other users` });
  t.strictSame(readdirSync(join(open, 'mine')), [], 'and nothing was put there');
});

t.test('a folder in a sticky one is taken: nobody can exchange it there', async (t) => {
  const shared = temporaryFolder(t);
  chmodSync(shared, 0o1777);
  unpack(join(shared, 'mine'), files);
  t.throws(() => unpack(shared, files), { message: `${shared} can be written by other users` });
});

t.test('what belongs to another user is refused', { skip: !isRoot && 'needs root' }, async (t) => {
  const folder = temporaryFolder(t);
  const planted = join(folder, 'abc');
  mkdirSync(planted, { mode: 0o755 });
  writeFileSync(join(planted, 'addon.node'), 'machine code');
  chownSync(planted, 65_534, 65_534);
  t.throws(() => unpack(planted, files), { message: `${planted} belongs to another user` });
  t.throws(() => unpack(join(planted, 'below'), files), { message: `${planted} belongs to another user` });
});

t.test(
  'a file of another user is replaced by this user’s own',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const folder = temporaryFolder(t);
    unpack(folder, files);
    chownSync(join(folder, 'addon.node'), 65_534, 65_534);
    unpack(folder, files);
    t.equal(statSync(join(folder, 'addon.node')).uid, 0);
  },
);

t.test('a place that cannot be written keeps nothing half-written', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'addon.node'));
  t.throws(() => unpack(folder, files), { code: 'EISDIR' });
  t.strictSame(readdirSync(folder), ['addon.node']);
});
