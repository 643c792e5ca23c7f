import type { Command } from 'commander';
import { addApiCommand, examplesText } from './api-command.ts';
import type { Io } from './io.ts';

export function addTools(program: Command, io: Io): void {
  const tools = program
    .command('tools')
    .summary('the tool catalogue of an integration')
    .description(
      'The tool catalogue of an integration says what its tools do. Policies read it as toolEffect and destinations.',
    )
    .addHelpText('after', examplesText(['assize tools show "support agent"']));
  const load = () => import('./tools/commands.ts');
  addApiCommand(
    tools,
    io,
    {
      name: 'show <integration>',
      summary: 'show the tool catalogue of an integration',
      examples: [
        'assize tools show "support agent"',
        'assize tools show "support agent" --json > tools.json',
      ],
    },
    async () => (await load()).show,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'set <integration> <file>',
      summary: 'replace the tool catalogue by what a JSON file says, in the form of `show --json`',
      examples: ['assize tools set "support agent" tools.json'],
    },
    async () => (await load()).set,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'import <integration> <file>',
      summary: 'add the tools of an MCP server: a JSON file with what it answers to tools/list',
      examples: ['assize tools import "support agent" tools-list.json'],
    },
    async () => (await load()).importTools,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'changes <integration>',
      summary: 'show what servers changed of tools, and nobody accepted yet: calls of these are held',
      examples: ['assize tools changes "support agent"'],
    },
    async () => (await load()).changes,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'accept <integration> <digest...>',
      summary: 'accept changes, by their digests or the first 8 characters of them',
      examples: ['assize tools accept "support agent" 3fa9c1d2'],
    },
    async () => (await load()).accept,
  );
}
