import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { parseEnv } from 'node:util';

const { build, isBuilt } = await import('../build/built.mjs');

// npm start: builds what is not built, and serves. Not under a service that already runs from the same files: it would miss them.
const file = existsSync('assize.env') ? parseEnv(readFileSync('assize.env', 'utf8')) : {};
const { ASSIZE_HOST: host = '127.0.0.1', ASSIZE_PORT: port = '3000' } = { ...file, ...process.env };

if (!isBuilt('bundle')) {
  const probe = createServer();
  try {
    probe.listen({ host, port: Number(port), exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    // What else is wrong with the settings the service says.
    if (error.code === 'EADDRINUSE') {
      process.stderr.write(
        `assize: ${host}:${port} is in use: stop what listens there, or set ASSIZE_PORT to another port\n`,
      );
      process.exit(1);
    }
  }
  probe.close();
  process.stderr.write('assize: building, as the code has changed since the last build …\n');
  build('bundle');
}
process.argv[2] = 'serve';
await import('../../dist/main.js');
