import { CelError, Unknown } from '../cel/index.ts';

/** The server and the tool in the name of a tool; both `''` for a tool of no MCP server. */
export interface McpName {
  readonly server: string;
  readonly tool: string;
}

const none: McpName = Object.freeze({ server: '', tool: '' });

const ambiguous = new CelError(
  'invalid_argument',
  'mcp: the name of the tool can be read as that of several servers: give it an alias mcp__SERVER__TOOL in the tool catalogue',
);

/**
 * Agents name the tool `send` of the server `crm` in their own ways: `mcp__crm__send`, `mcp_crm_send`, `crm-send`, `crm_send`. Only the first
 * two say that they do, and only where there is one place to divide them: a server that calls itself `crm_x` must not pass for `crm`. Any other
 * name belongs to a server when `names`, by which the catalogue knows the tool as well, has one of these forms, or `stated` does.
 */
export function mcpNameOf(
  tool: string,
  names: readonly string[] | Unknown,
  stated: McpName | null,
): McpName | CelError {
  if (stated !== null) return stated;
  const own = divided(tool);
  if (own !== null) return own;
  if (names instanceof Unknown) return names;
  const said = names.flatMap((name) => divided(name) ?? []);
  const [first] = said;
  if (first === undefined) return tool.startsWith('mcp_') ? ambiguous : none;
  return said.every(({ server, tool: other }) => server === first.server && other === first.tool)
    ? first
    : ambiguous;
}

/** Null for a name that has neither form, or several places to divide it. */
function divided(name: string): McpName | null {
  const separator = name.startsWith('mcp__') ? '__' : name.startsWith('mcp_') ? '_' : null;
  if (separator === null) return null;
  const [, server = '', tool = '', ...more] = name.split(separator);
  return server !== '' && tool !== '' && more.length === 0 ? { server, tool } : null;
}

/** The server and the tool that a call of OpenAI's Responses API names, or where the MCP proxy says that the name of the tool divides. */
export function statedIn(input: object): McpName | null {
  const { type, server_label: server, name, tool, mcp } = input as Readonly<Record<string, unknown>>;
  if (typeof mcp === 'object' && mcp !== null) return dividedAs(tool, mcp);
  if (type !== 'mcp_call' && type !== 'mcp_approval_request') return null;
  return typeof server === 'string' && typeof name === 'string' ? { server, tool: name } : null;
}

/** Null unless the name is made of both, and of no other server and tool whose names could be said. */
function dividedAs(name: unknown, { server, tool }: { server?: unknown; tool?: unknown }): McpName | null {
  if (typeof server !== 'string' || typeof tool !== 'string' || tool === '') return null;
  if (server === '' || server.includes('__') || server.endsWith('_')) return null;
  return name === `mcp__${server}__${tool}` ? { server, tool } : null;
}
