/** How an agent or framework asks for decisions: lines to paste, with the address of this service and a key. */
export interface Connection {
  name: string;
  /** Its page in `docs/`, without `.md`. */
  doc: string;
  lines: (url: string, key: string) => string;
}

const curl: Connection = {
  name: 'curl',
  doc: 'http-api',
  lines: (url, key) => `curl -s ${url}/v1/evaluate \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"input":{"tool":"web.search","query":"opening hours"}}'`,
};

const typescript: Connection = {
  name: 'TypeScript',
  doc: 'client',
  lines: (url, key) => `import { createAssizeClient } from 'assize-client';
const client = createAssizeClient({ url: '${url}', apiKey: '${key}' });
const { enforcementAction } = await client.evaluate({ input: { tool: 'web.search' } });`,
};

const python: Connection = {
  name: 'Python',
  doc: 'python',
  lines: (url, key) => `# pip install ./clients/python
from assize import Assize, Gate
gate = Gate(Assize("${url}", "${key}"), external_session_id="chat-1")

@gate.tool
def lookup(name: str) -> str:
    return f"{name} Example"`,
};

const mcp: Connection = {
  name: 'MCP',
  doc: 'mcp',
  lines: (url, key) =>
    JSON.stringify(
      {
        mcpServers: {
          assize: { type: 'http', url: `${url}/v1/mcp`, headers: { Authorization: `Bearer ${key}` } },
        },
      },
      null,
      2,
    ),
};

/** An agent that runs our hook. */
const hook = (name: string, id: string, install = `assize hook install ${id} --yes`): Connection => ({
  name,
  doc: `agents/${id}`,
  lines: (url, key) => `mkdir -p ~/.config/assize
printf 'ASSIZE_URL=%s\\nASSIZE_KEY=%s\\n' '${url}' '${key}' > ~/.config/assize/hook.env
chmod 600 ~/.config/assize/hook.env
${install}`,
});

/** A framework that has an adapter: `used` is where its program takes the gate. */
const adapter = (name: string, id: string, packages: string, imports: string, used: string): Connection => ({
  name,
  doc: `agents/${id}`,
  lines: (url, key) => `// npm install ./assize-client-0.2.0.tgz ${packages}
import { createAssizeClient, createGate } from 'assize-client';
${imports}

const client = createAssizeClient({ url: '${url}', apiKey: '${key}' });
const gate = createGate({ client });
${used}`,
});
const tools = (name: string, id: string, packages: string): Connection =>
  adapter(
    name,
    id,
    packages,
    `import { protectTools } from 'assize-client/${id}';`,
    'const tools = protectTools(gate, yourTools);',
  );

const kiroFile = '~/.kiro/agents/default.json';

/** The connections that a new key is shown with. */
export const fewConnections: readonly Connection[] = [
  curl,
  typescript,
  hook('Claude Code', 'claude-code'),
  mcp,
];

/** All that the docs have. */
export const connections: readonly Connection[] = [
  ...fewConnections,
  python,
  hook('Codex', 'codex'),
  hook('Cursor', 'cursor'),
  hook('VS Code', 'vscode'),
  hook('Copilot CLI', 'copilot'),
  hook('Gemini CLI', 'gemini-cli'),
  hook('Qwen Code', 'qwen-code'),
  hook('Cline', 'cline'),
  hook('Windsurf', 'windsurf'),
  hook(
    'Kiro CLI',
    'kiro',
    `mkdir -p ~/.kiro/agents && echo '{"name":"default"}' > ${kiroFile}
assize hook install kiro --file ${kiroFile} --yes`,
  ),
  hook('OpenClaw', 'openclaw'),
  hook('opencode', 'opencode'),
  hook('pi', 'pi'),
  tools('OpenAI Agents', 'openai-agents', '@openai/agents zod'),
  adapter(
    'LangChain, LangGraph',
    'langchain',
    'langchain @langchain/core zod',
    `import { wrapToolCall } from 'assize-client/langchain';
import { createMiddleware } from 'langchain';`,
    "const middleware = [createMiddleware({ name: 'Assize', wrapToolCall: wrapToolCall(gate) })];",
  ),
  adapter(
    'Claude Agent SDK',
    'claude-agent-sdk',
    '@anthropic-ai/claude-agent-sdk',
    "import { createHooks } from 'assize-client/claude-agent-sdk';",
    'const options = { hooks: createHooks(gate) };',
  ),
  tools('Mastra', 'mastra', '@mastra/core ai zod'),
  tools('Google ADK', 'google-adk', '@google/adk zod'),
  tools('Strands Agents', 'strands', '@strands-agents/sdk zod'),
  tools('VoltAgent', 'voltagent', '@voltagent/core zod'),
  adapter(
    'Express, Fastify, Next',
    'http-servers',
    'express',
    "import { protectRoute } from 'assize-client/express';",
    `const chat = protectRoute(gate, {
  session: ({ body }) => ({ externalSessionId: body.chat }),
  prompt: ({ body }) => body.message,
});`,
  ),
];
