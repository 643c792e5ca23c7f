import { path } from '../../client/http.ts';
import { parseForWriting } from '../../json/parse.ts';
import type { Binding } from '../../schemas/bindings.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';
import { policyColumns } from '../policies/columns.ts';

const fields: Column<Binding>[] = [
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

export async function listBound(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'integrations', call.args[0]);
  const request = { path: path`/v1/integrations/${id}/policies`, query: { page, size } };
  await printPage(call, request, policyColumns, 'No policy is bound to it.');
}

interface Terms {
  param?: string[];
  mode?: string;
}

/** Without terms an existing binding keeps its own. */
export async function bind(call: Call<Terms>): Promise<void> {
  const { param, mode } = call.options;
  const terms = { ...(param && { params: paramsIn(param) }), ...(mode !== undefined && { mode }) };
  await change(call, { method: 'PUT', ...(Object.keys(terms).length > 0 && { json: terms }) });
}

export const unbind = (call: Call): Promise<void> => change(call, { method: 'DELETE' });

async function change(
  { http, out, args }: Pick<Call, 'http' | 'out' | 'args'>,
  request: { method: 'PUT' | 'DELETE'; json?: object },
): Promise<void> {
  const integration = await idOf(http, 'integrations', args[0]);
  const policy = await idOf(http, 'policies', args[1]);
  const { data } = await http.send<Binding>({
    ...request,
    path: path`/v1/integrations/${integration}/policies/${policy}`,
  });
  out.record(data, fields);
}

/** `limit=5`, `tools=["a"]`: what is no JSON is the text itself. Digits of large numbers are kept. */
function paramsIn(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const place = text.indexOf('=');
      if (place < 1) throw new Exit(exitCodes.wrongUse, `--param ${text}: write it as name=value`);
      return [text.slice(0, place), valueIn(text.slice(place + 1))];
    }),
  );
}

function valueIn(text: string): unknown {
  try {
    return parseForWriting(text);
  } catch {
    return text;
  }
}
