import { readFileSync } from 'node:fs';
import { type Http, path } from '../../client/http.ts';
import type { CatalogueTool, ToolCatalogue } from '../../schemas/tool-catalogues.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Output } from '../output/output.ts';
import type { Column } from '../output/table.ts';

const columns: Column<CatalogueTool>[] = [
  { title: 'NAME', of: ({ name }) => name },
  { title: 'EFFECT', of: ({ effect }) => effect, word: true },
  { title: 'UNTRUSTED RESULTS', of: ({ untrustedResults }) => (untrustedResults ? 'yes' : 'no') },
  { title: 'ALIASES', of: ({ aliases }) => aliases?.join(', ') },
  { title: 'DESTINATIONS', of: ({ destinations }) => destinations?.join(', ') },
  { title: 'IDENTIFIERS', of: ({ identifiers }) => identifiers?.join(', ') },
  { title: 'SCHEMA', of: ({ inputSchema }) => (inputSchema === undefined ? 'no' : 'yes') },
];

export async function show({ http, out, args }: Call): Promise<void> {
  const at = await catalogueOf(http, args[0]);
  print(out, (await http.send<ToolCatalogue>({ method: 'GET', path: at })).data);
}

/** The API takes only `tools`: what else `show --json` prints is not part of it. */
export async function set({ http, out, args: [integration, file] }: Call): Promise<void> {
  const { tools } = objectIn(file);
  const at = await catalogueOf(http, integration);
  const { data } = await http.send<ToolCatalogue>({ method: 'PUT', path: at, json: { tools } });
  print(out, data);
}

export async function importTools({ http, out, args: [integration, file] }: Call): Promise<void> {
  const { result = null, ...listed } = objectIn(file);
  const at = `${await catalogueOf(http, integration)}/import`;
  // A whole JSON-RPC response has the list as its result.
  const { data } = await http.send<ToolCatalogue>({ method: 'POST', path: at, json: result ?? listed });
  print(out, data);
}

const catalogueOf = async (http: Http, integration: string | undefined): Promise<string> =>
  path`/v1/integrations/${await idOf(http, 'integrations', integration)}/tools`;

function print(out: Output, catalogue: ToolCatalogue): void {
  if (out.json) out.record(catalogue, []);
  else out.list(catalogue.tools, columns, 'There are no tools in the catalogue.');
}

function objectIn(file = ''): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Exit(exitCodes.wrongUse, `${file}: cannot be read`);
  }
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || !('tools' in value || 'result' in value)) {
    throw new Exit(exitCodes.wrongUse, `${file}: must be a JSON object with "tools"`);
  }
  return value as Record<string, unknown>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
