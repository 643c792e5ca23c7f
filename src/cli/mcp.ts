import { Argument, type Command, Option } from 'commander';
import { addMcpServers } from '../features/mcp-servers/cli.ts';
import { examplesText, numberOption, withCertificate } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';
import type { Io } from './io.ts';
import type { McpClientName, McpInstallFlags, McpPlace } from './mcp/install.ts';

import type { WrapFlags } from './mcp/wrap.ts';

const clientNames: Readonly<Record<McpClientName, true>> = {
  'claude-code': true,
  'claude-desktop': true,
  cursor: true,
  vscode: true,
  codex: true,
  'gemini-cli': true,
  copilot: true,
  opencode: true,
  windsurf: true,
  zed: true,
  cline: true,
  'cline-cli': true,
};

export function addMcp(program: Command, io: Io): void {
  const mcp = program
    .command('mcp')
    .summary('stand between an agent and its MCP servers')
    .addHelpText('after', examplesText(['assize mcp wrap --name crm -- npx -y crm-mcp-server']));

  withCertificate(mcp.command('wrap <command...>'))
    .summary('start an MCP server, and evaluate every call of its tools')
    .description(
      'Starts an MCP server and stands between it and the client on standard input and output. Each call is evaluated before the server gets it, and each result before the client does. docs/mcp-proxy.md describes it.',
    )
    .passThroughOptions()
    .option(
      '--name <name>',
      'name of the server in rules, `mcp.server` (default: that of the package or program)',
    )
    .option(
      '--session <name>',
      'name of the session of the conversation (default: one for all servers that the same program started)',
    )
    .addOption(
      new Option('--on-hold <how>', 'answer a held call with its review, or wait for the reviewer first')
        .choices(['deny', 'wait'])
        .default('deny'),
    )
    .addOption(
      numberOption('--wait-seconds <seconds>', 'timeout for a reviewer in seconds', [1, 86_400]).default(50),
    )
    .addOption(
      numberOption('--limit-ms <ms>', 'timeout for a decision in milliseconds', [1, 600_000]).default(10_000),
    )
    .addOption(
      numberOption('--max-bytes <bytes>', 'largest message in bytes', [1_024, 67_108_864]).default(4_194_304),
    )
    .addOption(
      new Option(
        '--tools <how>',
        'list tools that may not be called now like all others, with the reason, or not',
      )
        .choices(['all', 'mark', 'hide'])
        .default('hide'),
    )
    .option('--mask', 'mask detected values in what is let through', false)
    .option('--config <file>', 'file with ASSIZE_URL and ASSIZE_KEY (default: ~/.config/assize/hook.env)')
    .addOption(new Option('--url <url>', 'URL of the server').env('ASSIZE_URL'))
    .addOption(new Option('--key <key>').env('ASSIZE_KEY').hideHelp())
    .addHelpText(
      'after',
      examplesText([
        'assize mcp wrap --name crm -- npx -y crm-mcp-server',
        'assize mcp wrap --name files --on-hold wait -- npx -y @modelcontextprotocol/server-filesystem .',
      ]),
    )
    .action(async (command: string[], flags: WrapFlags) => {
      const { wrap } = await import('./mcp/wrap.ts');
      const code = await wrap(command, flags, io);
      if (code !== exitCodes.fine) throw new Exit(code as Exit['code']);
    });

  place(mcp.command('install'))
    .summary('put the proxy in front of the MCP servers of a client, after showing the change')
    .addOption(
      new Option(
        '--on-hold <how>',
        'answer a held call with its review, or wait for the reviewer first',
      ).choices(['deny', 'wait']),
    )
    .addOption(numberOption('--wait-seconds <seconds>', 'timeout for a reviewer in seconds', [1, 86_400]))
    .option('--mask', 'mask detected values in what is let through')
    .option('--config <file>', 'file with ASSIZE_URL and ASSIZE_KEY (default: ~/.config/assize/hook.env)')
    .option('--program <command>', 'program that runs assize (default: this program; with --project: assize)')
    .addHelpText(
      'after',
      examplesText(['assize mcp install claude-code', 'assize mcp install cursor --server crm --dry-run']),
    )
    .action(async (client: McpClientName, flags: McpInstallFlags) => {
      const { installProxy } = await import('./mcp/install.ts');
      await installProxy(client, flags, io);
    });

  place(mcp.command('uninstall'))
    .summary('take the proxy away from the MCP servers of a client')
    .addHelpText('after', examplesText(['assize mcp uninstall claude-code']))
    .action(async (client: McpClientName, flags: McpPlace) => {
      const { uninstallProxy } = await import('./mcp/install.ts');
      await uninstallProxy(client, flags, io);
    });

  addMcpServers(mcp, io);
}

/** Adds the argument and options that name the client, and the servers in its settings. */
function place(command: Command): Command {
  return command
    .addArgument(new Argument('<client>', 'the client').choices(Object.keys(clientNames)))
    .option('--server <name>', 'only this server; may be repeated', (name, names: string[] = []) => [
      ...names,
      name,
    ])
    .option('--project', 'use the settings of this folder, which a team shares, instead of your own')
    .option('--file <file>', 'another settings file')
    .option('--dry-run', 'only show the change')
    .option('-y, --yes', 'do not ask');
}
