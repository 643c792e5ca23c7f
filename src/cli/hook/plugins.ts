// Plugins that an agent loads into its own process. They only run the hook, once for each event: the key and the decision are outside
// the agent's process. What the hook cannot decide is stopped.

/** The plugin of an agent. `command` starts the hook, which reads an event and writes `stop` or `warning`. */
export const pluginOf = (
  hooks: string,
  agent: string,
  command: string,
  { closed, timeoutMs }: { closed: boolean; timeoutMs: number },
): string => `// Written by: assize hook install ${agent}. Removed by: assize hook uninstall ${agent}.
import { spawn } from 'node:child_process';

const command = ${JSON.stringify(command)};
const timeoutMs = ${timeoutMs};

function evaluate(event) {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.stdout.on('data', (chunk) => { said += chunk; });
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(failed()));
    child.on('close', (code) => {
      clearTimeout(timer);
      try {
        resolve(code === 0 ? JSON.parse(said || '{}') : failed());
      } catch {
        resolve(failed());
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}

const failed = () => (${closed} ? { stop: 'Assize: the hook could not run' } : {});

// Warnings of calls that run: the model reads them with the result. The oldest go when many calls had none. OpenClaw loads this file
// more than once.
const warned = (globalThis[Symbol.for('assize.warnings')] ??= new Map());
function keep(callID, warning) {
  warned.set(callID, warning);
  if (warned.size > 100) warned.delete(warned.keys().next().value);
}

${hooks}`;

/** https://opencode.ai/docs/plugins: a tool whose hook throws does not run, and its model reads the error. */
export const opencodeHooks = `export const Assize = async ({ directory, client }) => {
  // To whoever sits at the terminal: without one there is nobody to show it to.
  const show = (message) => void client?.tui?.showToast?.({ body: { title: 'Assize', message, variant: 'warning' } })?.catch?.(() => {});
  // The session that started each session: null for one that a person started.
  const parents = new Map();
  async function evaluateIn(sessionID, event) {
    if (!parents.has(sessionID)) {
      const { data } = await client.session.get({ path: { id: sessionID } }).catch(() => ({}));
      if (!data) return failed();
      parents.set(sessionID, data.parentID ?? null);
    }
    return evaluate({ session_id: sessionID, parent_session_id: parents.get(sessionID), cwd: directory, ...event });
  }
  const end = (sessionID) => evaluate({ hook_event_name: 'SessionEnd', session_id: sessionID });
  return {
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
    const { stop, warning } = await evaluateIn(sessionID, {
      hook_event_name: 'PreToolUse', tool_name: tool, tool_input: args, tool_use_id: callID,
    });
    if (stop) throw new Error(stop);
    if (warning) { keep(callID, warning); show(warning); }
  },
  'tool.execute.after': async ({ tool, sessionID, callID }, output) => {
    // Once a sub-agent's session has ended, everything that it saw counts for the session that started it.
    const subAgent = output.metadata?.sessionId;
    if (parents.get(subAgent)) await end(subAgent);
    const { stop, warning } = await evaluateIn(sessionID, {
      hook_event_name: 'PostToolUse', tool_name: tool, tool_use_id: callID, tool_response: output.output ?? output,
    });
    if (stop) Object.assign(output, { title: 'withheld', output: stop, content: [{ type: 'text', text: stop }], metadata: {} });
    else if (warning) show(warning);
    const warnings = [warned.get(callID), stop ? null : warning].filter(Boolean);
    warned.delete(callID);
    if (warnings.length > 0 && typeof output.output === 'string') output.output = [output.output, ...warnings].join('\\n');
  },
  'chat.message': async ({ sessionID }, { parts }) => {
    const prompt = parts.map((part) => part.text ?? '').join('\\n');
    const { stop, warning } = await evaluateIn(sessionID, { hook_event_name: 'UserPromptSubmit', prompt });
    if (stop) throw new Error(stop);
    const said = warning && parts.find((part) => part.type === 'text');
    if (warning) show(warning);
    if (said) said.text += '\\n\\n' + warning;
  },
  event: async ({ event }) => {
    const { sessionID } = event.properties ?? {};
    if (event.type === 'session.idle' && parents.get(sessionID)) await end(sessionID);
  },
  };
};
`;

/**
 * An extension of pi (https://github.com/earendil-works/pi, docs/extensions.md): a call is blocked with a reason that its model reads, and a
 * result can be replaced.
 */
export const piHooks = `export default function assize(pi) {
  const show = (ctx, message) => { if (ctx.hasUI) ctx.ui.notify(message, 'warning'); };
  const evaluateIn = (ctx, event) =>
    evaluate({ session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, ...event });
  const text = (said) => [{ type: 'text', text: said }];
  pi.on('tool_call', async ({ toolName, toolCallId, input }, ctx) => {
    const { stop, warning } = await evaluateIn(ctx, {
      hook_event_name: 'PreToolUse', tool_name: toolName, tool_input: input, tool_use_id: toolCallId,
    });
    if (stop) return { block: true, reason: stop };
    if (warning) { keep(toolCallId, warning); show(ctx, warning); }
  });
  pi.on('tool_result', async ({ toolName, toolCallId, content, structuredContent, isError }, ctx) => {
    const response = structuredContent === undefined ? content : { content, structuredContent };
    const { stop, warning } = await evaluateIn(ctx, {
      hook_event_name: isError ? 'PostToolUseFailure' : 'PostToolUse',
      tool_name: toolName, tool_use_id: toolCallId, tool_response: response, error: response,
    });
    if (stop) return { content: text(stop), details: {}, isError: true };
    if (warning) show(ctx, warning);
    const warnings = [warned.get(toolCallId), warning].filter(Boolean);
    warned.delete(toolCallId);
    if (warnings.length > 0) return { content: [...content, ...text(warnings.join('\\n'))], structuredContent };
  });
  pi.on('input', async ({ text: prompt }, ctx) => {
    const { stop, warning } = await evaluateIn(ctx, { hook_event_name: 'UserPromptSubmit', prompt });
    if (stop) {
      if (ctx.hasUI) show(ctx, stop);
      else console.error(stop);
      return { action: 'handled' };
    }
    if (!warning) return;
    show(ctx, warning);
    return { action: 'transform', text: prompt + '\\n\\n' + warning };
  });
  pi.on('session_shutdown', async ({ reason }, ctx) => {
    if (reason !== 'reload') await evaluateIn(ctx, { hook_event_name: 'SessionEnd' });
  });
}
`;

/**
 * A plugin of OpenClaw (https://docs.openclaw.ai/plugins/hooks). OpenClaw blocks a call or a run whose handler fails or takes longer than
 * `timeoutMs`. A warning about a prompt is told with the next result.
 */
export const openClawHooks = `export default {
  id: 'assize',
  name: 'Assize',
  description: 'Evaluates prompts, tool calls and results',
  register(api) {
    const options = { timeoutMs: timeoutMs + 5_000 };
    // By session key: the id of each session, and of the one that started it. OpenClaw loads this file more than once.
    const { ids, parents } = (globalThis[Symbol.for('assize.sessions')] ??= { ids: new Map(), parents: new Map() });
    async function parentOf(sessionKey) {
      if (!sessionKey?.includes(':subagent:')) return null;
      // A sub-agent may be faster than the event of its start.
      for (let waited = 0; waited < 5_000 && !parents.has(sessionKey); waited += 50) await new Promise((go) => setTimeout(go, 50));
      return parents.get(sessionKey);
    }
    async function evaluateIn({ sessionId, sessionKey, workspaceDir }, event) {
      const session_id = sessionId ?? sessionKey;
      const parent_session_id = await parentOf(sessionKey);
      if (parent_session_id === undefined) return failed();
      if (sessionKey) ids.set(sessionKey, session_id);
      return evaluate({ session_id, parent_session_id, cwd: workspaceDir, ...event });
    }
    const text = (said) => [{ type: 'text', text: said }];
    api.on('before_tool_call', async ({ toolName, toolCallId, params }, context) => {
      const { stop, warning } = await evaluateIn(context, {
        hook_event_name: 'PreToolUse', tool_name: toolName, tool_input: params, tool_use_id: toolCallId,
      });
      if (stop) return { block: true, blockReason: stop };
      if (warning) keep(toolCallId, warning);
    }, options);
    api.registerAgentToolResultMiddleware(async ({ toolName, toolCallId, result, isError }, context) => {
      const { stop, warning } = await evaluateIn(context, {
        hook_event_name: isError ? 'PostToolUseFailure' : 'PostToolUse',
        tool_name: toolName, tool_use_id: toolCallId, tool_response: result.content, error: result.content,
      });
      if (stop) return { result: { content: text(stop), details: {} } };
      const names = ['prompt ' + context.sessionId, toolCallId];
      const warnings = [...names.map((name) => warned.get(name)), warning].filter(Boolean);
      for (const name of names) warned.delete(name);
      if (warnings.length > 0) return { result: { ...result, content: [...result.content, ...text(warnings.join('\\n'))] } };
    });
    api.on('before_agent_run', async ({ prompt }, context) => {
      const { stop, warning } = await evaluateIn(context, { hook_event_name: 'UserPromptSubmit', prompt });
      if (stop) return { outcome: 'block', reason: stop, message: stop };
      if (warning) keep('prompt ' + context.sessionId, warning);
    }, options);
    api.on('subagent_spawned', ({ childSessionKey }, { requesterSessionKey }) => {
      parents.set(childSessionKey, ids.get(requesterSessionKey) ?? requesterSessionKey);
    });
    // Once it has ended, everything that it saw counts for the session that started it. One that was killed has no end of its own.
    async function endSubAgent(sessionKey) {
      if (parents.has(sessionKey) && ids.has(sessionKey))
        await evaluate({ hook_event_name: 'SessionEnd', session_id: ids.get(sessionKey) });
    }
    api.on('agent_end', (_, { sessionKey }) => endSubAgent(sessionKey));
    api.on('subagent_ended', ({ targetSessionKey }) => endSubAgent(targetSessionKey));
    api.on('session_end', async ({ sessionId, reason }) => {
      if (['new', 'reset', 'idle', 'daily', 'deleted'].includes(reason))
        await evaluate({ hook_event_name: 'SessionEnd', session_id: sessionId });
    });
  },
};
`;

const about = 'Runs assize hook openclaw for each event';

/** The other files of the plugin of OpenClaw. */
export const openClawFiles: Readonly<Record<string, object>> = {
  'openclaw.plugin.json': {
    id: 'assize',
    name: 'Assize',
    description: about,
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
    contracts: { agentToolResultMiddleware: ['openclaw', 'codex'] },
  },
  'package.json': {
    name: 'assize-openclaw',
    version: '0.0.0',
    private: true,
    description: about,
    type: 'module',
    openclaw: { extensions: ['./index.js'] },
  },
};
