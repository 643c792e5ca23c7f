import type { Command } from 'commander';
import { textOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { parseForWriting } from '../../json/parse.ts';
import { policyModes } from '../../schemas/words.ts';
import type { HousePolicy } from './schema.ts';

const columns: Column<HousePolicy>[] = [
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'NAME', of: ({ policy }) => policy.name },
  { title: 'STATUS', of: ({ policy }) => policy.status, word: true },
  { title: 'VERSION', of: ({ policy }) => policy.version },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

/** With which params and mode a policy applies, to one integration or to all. */
export const termOptions = [
  textOption(
    '--param <name=value...>',
    'a param of the policy, as JSON or plain text; params that are not given are removed',
  ),
  wordOption(
    '--mode <mode>',
    'replaces the mode of the document; removed when only params are given',
    policyModes,
  ),
];

export const addHousePolicies = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'house-policies',
    summary: 'policies that apply to every integration',
    description:
      'House policies apply to every integration, including future ones. Bindings can only make them stricter.',
    examples: ['assize house-policies bind runaway-agents'],
    commands: [
      {
        name: 'list',
        summary: 'list the house policies',
        examples: ['assize house-policies list'],
        request: 'GET /v1/house-policies',
        columns,
        none: 'No policy applies to every integration.',
      },
      {
        name: 'bind <policy>',
        summary: 'apply a policy to every integration, or change its params and mode there',
        examples: [
          'assize house-policies bind runaway-agents',
          'assize house-policies bind spending-limits --param perDay=5000 --mode monitor',
        ],
        options: termOptions,
        request: 'PUT /v1/house-policies/{policies}',
        body: termsIn,
        columns,
      },
      {
        name: 'unbind <policy>',
        summary: 'apply a policy only to the integrations that it is bound to',
        examples: ['assize house-policies unbind runaway-agents'],
        request: 'DELETE /v1/house-policies/{policies}',
        columns,
      },
    ],
  });

export interface Terms {
  param?: string[];
  mode?: string;
}

/** The body that binds a policy. Undefined when no terms are given: an existing binding then keeps its own. */
export function termsIn({ param, mode }: Terms): object | undefined {
  const terms = { ...(param && { params: paramsIn(param) }), ...(mode !== undefined && { mode }) };
  return Object.keys(terms).length > 0 ? terms : undefined;
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
