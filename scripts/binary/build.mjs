// Makes build/assize: Node, the code and the files of Assize, in one file for this platform. Says its size and how long
// it takes, in an empty folder, from the start of the process to the first response.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import {
  billOfMaterials,
  licenceOfNode,
  licencesOf,
  nodeComponent,
  packagesOf,
} from '../build/bundled-packages.mjs';
import { buildConsole } from '../build/console.mjs';
import { install } from '../develop/install.mjs';
import { bundleCode, bundleMain } from './bundle.mjs';
import { digestOf, filesToUnpack } from './files.mjs';
import { medianStartMs } from './start-time.mjs';

if (process.platform !== 'linux') throw new Error('the binary is made on Linux, for Linux');
const target = resolve(process.argv[2] ?? 'build/assize');
const tools = install('scripts/binary');
if (tools === null) process.exit(1);
const work = mkdtempSync(join(tmpdir(), 'assize-binary-'));

function put(key, content) {
  const path = join(work, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Its output is shown when it fails, in the error. */
const run = (program, ...args) => execFileSync(program, args, { stdio: 'pipe', input: hookEvent });

/** As `src/binary/asset.ts` reads it. */
const pack = (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });

/** What one of the commands that are compiled reads. */
const hookEvent = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 'x',
  tool_use_id: 'x',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
});

try {
  const { chunks, packages } = await bundleCode();
  const consoleFolder = join(work, 'console');
  packages.push(...packagesOf(await buildConsole(consoleFolder)));
  const files = filesToUnpack(consoleFolder);
  files.set('licences.txt', put('licences.txt', `${licenceOfNode()}\n${licencesOf(packages)}`));
  const bill = put('sbom.cdx.json', JSON.stringify(billOfMaterials(packages, [nodeComponent()]), null, 2));
  files.set('sbom.cdx.json', bill);
  for (const [path, source] of files) put(`files/${path}`, readFileSync(source));
  for (const [name, code] of chunks) put(`code/${name}`, code);
  put('main.js', await bundleMain());
  put('digest', digestOf(files));
  run(process.execPath, join(import.meta.dirname, 'compile.mjs'), work);

  const keys = [
    ...[...files.keys()].map((path) => `files/${path}`),
    ...[...chunks.keys()].flatMap((name) => [`code/${name}`, `compiled/${name}`]),
  ];
  for (const key of keys) put(`packed/${key}`, pack(readFileSync(join(work, key))));
  const blob = join(work, 'blob');
  const settings = put(
    'sea.json',
    JSON.stringify({
      main: join(work, 'main.js'),
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: {
        'main.js': join(work, 'main.js'),
        digest: join(work, 'digest'),
        ...Object.fromEntries(keys.map((key) => [key, join(work, 'packed', key)])),
      },
    }),
  );
  run(process.execPath, '--experimental-sea-config', settings);

  const part = join(work, 'assize');
  copyFileSync(process.execPath, part);
  chmodSync(part, 0o755);
  // Before the blob is in: strip would not know it.
  run('strip', part);
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
  run(
    process.execPath,
    join(tools, 'postject/dist/cli.js'),
    part,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    fuse,
  );
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(part, `${target}.part`);
  renameSync(`${target}.part`, target);
  copyFileSync(bill, `${target}.cdx.json`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
const size = (statSync(target).size / 1e6).toFixed(1);
console.log(
  `${target}: ${size} MB; first answer ${Math.round(await medianStartMs(target))} ms after its start`,
);
