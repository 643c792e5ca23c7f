import type { Command } from 'commander';
import { addApiCommand, examplesText } from './api-command.ts';
import { withTerms } from './binding-terms.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

export function addHousePolicies(program: Command, io: Io): void {
  const house = program
    .command('house-policies')
    .summary('policies that apply to every integration')
    .description(
      'House policies apply to every integration, including future ones. Bindings can only make them stricter.',
    )
    .addHelpText('after', examplesText(['assize house-policies bind runaway-agents']));
  const load = () => import('./house-policies/commands.ts');

  addPaging(
    addApiCommand(
      house,
      io,
      { name: 'list', summary: 'list the house policies', examples: ['assize house-policies list'] },
      async () => (await load()).list,
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
      async () => (await load()).bind,
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
    async () => (await load()).unbind,
  );
}
