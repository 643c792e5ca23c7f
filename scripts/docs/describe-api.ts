import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openStore } from '../../src/store/open.ts';

/** The OpenAPI description of the app as it is, as the text of docs/openapi.json. */
export async function describeApi(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-openapi-'));
  const store = await openStore(join(folder, 'assize.db'), {
    migrations: join(import.meta.dirname, '../../migrations'),
  });
  const { http } = await buildApp({ config: loadConfig({ ASSIZE_LOG_LEVEL: 'silent' }), store });
  try {
    await http.ready();
    return `${JSON.stringify(http.swagger(), null, 2)}\n`;
  } finally {
    await http.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}
