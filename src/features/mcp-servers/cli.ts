import type { Command } from 'commander';
import { numberOption, textOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import type { McpServer } from './schema.ts';
import { toolListings } from './words.ts';

const columns: Column<McpServer>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'URL', of: ({ url }) => url },
  { title: 'HEADERS', of: ({ headerNames }) => headerNames.join(', ') },
  { title: 'AUTHORIZATION', of: ({ forwardsAuthorization }) => (forwardsAuthorization ? 'forwarded' : null) },
  { title: 'TOOLS', of: ({ toolList }) => toolList, word: true },
];
const fields: Column<McpServer>[] = [
  ...columns,
  { title: 'INTEGRATIONS', of: ({ integrationIds }) => integrationIds.join(', ') },
  { title: 'HOLD SECONDS', of: ({ holdSeconds }) => holdSeconds },
  { title: 'MASKED', of: ({ masks }) => (masks ? 'yes' : 'no') },
  { title: 'TIMEOUT SECONDS', of: ({ timeoutSeconds }) => timeoutSeconds },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
];

const yesOrNo = ['yes', 'no'];
const isYes = (word: string): boolean => word === 'yes';
const options = [
  textOption('--header <header...>', 'headers that the server gets, as "Authorization: Bearer TOKEN"'),
  textOption('--integration <integration...>', 'only keys of these integrations may use it'),
  wordOption('--forward-authorization <answer>', "pass the client's Authorization header on", yesOrNo),
  wordOption('--tools <how>', 'tools that may not be called now (default HIDE)', toolListings),
  numberOption('--hold-seconds <n>', 'how long a held call waits for its reviewer (default 0)', [0, 600]),
  wordOption('--mask-results <answer>', 'mask detected values in results', yesOrNo),
  numberOption('--timeout-seconds <n>', 'wait for the next byte of the server (default 300)', [1, 3_600]),
];
const requestFields = {
  endpoint: 'url',
  header: 'headers',
  integration: { field: 'integrationIds', noun: 'integrations' },
  forwardAuthorization: { field: 'forwardsAuthorization', read: isYes },
  tools: 'toolList',
  maskResults: { field: 'masks', read: isYes },
} as const;

export const addMcpServers = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'servers',
    summary: 'remote MCP servers behind the proxy, at /v1/mcp-proxy/NAME',
    description:
      'Remote MCP servers that the proxy stands in front of. A client connects to /v1/mcp-proxy/NAME with the key of an integration.',
    examples: ['assize mcp servers create crm --endpoint https://crm.example.com/mcp'],
    commands: [
      {
        name: 'list',
        summary: 'list the MCP servers, newest first',
        examples: ['assize mcp servers list'],
        request: 'GET /v1/mcp-servers',
        columns,
        none: 'There are no MCP servers.',
      },
      {
        name: 'show <server>',
        summary: 'show an MCP server',
        examples: ['assize mcp servers show crm'],
        request: 'GET /v1/mcp-servers/{mcp-servers}',
        columns: fields,
      },
      {
        name: 'create <name>',
        summary: 'put the proxy in front of an MCP server',
        examples: [
          'assize mcp servers create crm --endpoint https://crm.example.com/mcp --header "Authorization: Bearer $CRM_TOKEN"',
        ],
        options: [
          textOption('--endpoint <url>', 'the Streamable HTTP endpoint').makeOptionMandatory(),
          ...options,
        ],
        request: 'POST /v1/mcp-servers',
        fields: requestFields,
        columns: fields,
      },
      {
        name: 'update <server>',
        summary: 'change the given fields, from the next message on',
        examples: ['assize mcp servers update crm --tools MARK'],
        options: [textOption('--endpoint <url>', 'the Streamable HTTP endpoint'), ...options],
        request: 'PATCH /v1/mcp-servers/{mcp-servers}',
        fields: requestFields,
        columns: fields,
      },
      {
        name: 'delete <server>',
        summary: 'take the proxy away from an MCP server',
        examples: ['assize mcp servers delete crm'],
        request: 'DELETE /v1/mcp-servers/{mcp-servers}',
        columns: fields,
      },
    ],
  });
