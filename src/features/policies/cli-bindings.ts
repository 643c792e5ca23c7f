import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import type { Column } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import { parseForWriting } from '../../json/parse.ts';
import type { HousePolicy } from './schema.ts';

export function addHousePolicies(program: Command, io: Io): void {
  const house = program
    .command('house-policies')
    .summary('policies that apply to every integration')
    .description(
      'House policies apply to every integration, including future ones. Bindings can only make them stricter.',
    )
    .addHelpText('after', examplesText(['assize house-policies bind runaway-agents']));
  addPaging(
    addApiCommand(
      house,
      io,
      { name: 'list', summary: 'list the house policies', examples: ['assize house-policies list'] },
      async () => list,
    ),
  );
  withTerms(
    addApiCommand(
      house,
      io,
      {
        name: 'bind <policy>',
        summary: 'apply a policy to every integration, or change its params and mode there',
        examples: [
          'assize house-policies bind runaway-agents',
          'assize house-policies bind spending-limits --param perDay=5000 --mode monitor',
        ],
      },
      async () => bind,
    ),
  );
  addApiCommand(
    house,
    io,
    {
      name: 'unbind <policy>',
      summary: 'apply a policy only to the integrations that it is bound to',
      examples: ['assize house-policies unbind runaway-agents'],
    },
    async () => unbind,
  );
}

const columns: Column<HousePolicy>[] = [
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'NAME', of: ({ policy }) => policy.name },
  { title: 'STATUS', of: ({ policy }) => policy.status, word: true },
  { title: 'VERSION', of: ({ policy }) => policy.version },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

async function list(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const request = { path: '/v1/house-policies', query: { page, size } };
  await printPage(call, request, columns, 'No policy applies to every integration.');
}

const bind = (call: Call<Terms>): Promise<void> => change(call, { method: 'PUT', ...bodyOf(call.options) });

const unbind = (call: Call): Promise<void> => change(call, { method: 'DELETE' });

async function change(
  { http, out, args }: Pick<Call, 'http' | 'out' | 'args'>,
  request: { method: 'PUT' | 'DELETE'; json?: object },
): Promise<void> {
  const id = await idOf(http, 'policies', args[0]);
  const { data } = await http.send<HousePolicy>({ ...request, path: path`/v1/house-policies/${id}` });
  out.record(data, columns);
}

/** With which params and mode a policy applies, to one integration or to all. */
export const withTerms = (command: Command): Command =>
  command
    .option(
      '--param <name=value...>',
      'a param of the policy, as JSON or plain text; params that are not given are removed',
    )
    .addOption(
      wordOption('--mode <mode>', 'replaces the mode of the document; removed when only params are given', [
        'ENFORCE',
        'MONITOR',
      ]),
    );

export interface Terms {
  param?: string[];
  mode?: string;
}

/** What is sent to bind a policy. Without terms an existing binding keeps its own. */
export function bodyOf({ param, mode }: Terms): { json?: object } {
  const json = { ...(param && { params: paramsIn(param) }), ...(mode !== undefined && { mode }) };
  return Object.keys(json).length > 0 ? { json } : {};
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
