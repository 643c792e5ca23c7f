import t, { type Test } from 'tap';
import type { AgentName } from '../../../src/cli/hook/agents.ts';
import { type HookOptions, runAgentHook } from '../../../src/cli/hook/run.ts';
import { type AgentCase, agentCases } from '../../fixtures/agents.ts';
import { adminKey } from '../../helpers/app.ts';
import { listeningApp } from '../../helpers/listen.ts';
import { openHookFixture } from './hook-fixture.ts';

/** Of all tests: each has an integration of its own. */
const app = await listeningApp(t);

/** The hook of an agent, under a policy that does one thing about what says `forbidden`. */
async function hooked(t: Test, { agent }: AgentCase, effect: string, on: string) {
  const when = {
    ACTION: 'string(input.arguments.command)',
    RESULT: 'string(input.result)',
    PROMPT: 'input.prompt',
  };
  const said =
    on === 'RESULT'
      ? '"EMAIL_ADDRESS" in dataTags'
      : `${when[on as 'ACTION' | 'PROMPT']}.contains("forbidden")`;
  const { client, options } = await openHookFixture(t, said, effect, [on], app);
  return {
    client,
    operator: app.client(adminKey),
    run: (event: object, change: Partial<HookOptions> = {}) =>
      runAgentHook(agent as AgentName, JSON.stringify(event), { ...options, ...change }),
    evaluations: async () => {
      const [session, ...others] = (await client.sessions.list()).data;
      t.strictSame(others, [], 'one session');
      return (await client.sessions.evaluations(`${session?.id}`)).data;
    },
  };
}

/** The output with the reason in it replaced by `R`, when it is the expected reason. */
const reasoned = (value: unknown, reason: RegExp): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, part) =>
    typeof part === 'string' && reason.test(part) ? 'R' : part,
  );

const blocked = /^Assize blocks this: /;

for (const one of agentCases) {
  const { agent, harness, action, result, prompt } = one;
  const name = harness === undefined ? agent : `${agent} (${harness})`;
  const reads = (written: { stdout?: object; exitCode: number; stderr?: string }, reason: RegExp) => ({
    stdout: reasoned(written.stdout, reason),
    exitCode: written.exitCode,
  });

  t.test(`${name}: what is allowed goes on, and prompt, action and result are one session`, async (t) => {
    const hook = await hooked(t, one, 'BLOCK', 'RESULT');
    if (prompt) t.strictSame(await hook.run(prompt('hello')), { exitCode: 0 });
    t.strictSame(await hook.run(action), { exitCode: 0 });
    if (result) t.strictSame(await hook.run(result('fine')), { exitCode: 0 });
    const phases = (await hook.evaluations()).map(({ phase }) => phase);
    t.strictSame(phases, [result && 'RESULT', 'ACTION', prompt && 'PROMPT'].filter(Boolean));
    const [session] = (await hook.client.sessions.list()).data;
    t.equal((await hook.client.sessions.get(`${session?.id}`)).metadata.client, agent);
    if (one.harmless) t.strictSame(await hook.run(one.harmless), { exitCode: 0 });
    if (one.end) {
      t.strictSame(await hook.run(one.end), { exitCode: 0 });
      t.equal((await hook.client.sessions.get(`${session?.id}`)).status, 'COMPLETED');
    }
  });

  t.test(`${name}: a blocked action, prompt and result are stopped in its form`, async (t) => {
    const actions = await hooked(t, one, 'BLOCK', 'ACTION');
    t.strictSame(reads(await actions.run(action), blocked), one.denied);
    if (prompt) {
      const prompts = await hooked(t, one, 'BLOCK', 'PROMPT');
      t.strictSame(reads(await prompts.run(prompt('forbidden')), blocked), one.refusedPrompt);
    }
    if (result) {
      const results = await hooked(t, one, 'BLOCK', 'RESULT');
      await results.run(action);
      const written = await results.run(result('ada@example.com'));
      t.strictSame(reads(written, blocked), one.withheld);
      t.notMatch(JSON.stringify(written), /ada@/);
    }
  });

  t.test(
    `${name}: a held action is denied, never asked; approved it passes once; rejected it says why`,
    async (t) => {
      const hook = await hooked(t, one, 'APPROVAL_REQUIRED', 'ACTION');
      const held = await hook.run(action);
      t.strictSame(reads(held, /^Assize holds this for approval/), one.denied);
      t.notMatch(JSON.stringify(held), /"ask"/);
      const pending = async () => `${(await hook.operator.reviews.list({ status: 'PENDING' })).data[0]?.id}`;
      await hook.operator.reviews.approve(await pending());
      t.strictSame(await hook.run(action), { exitCode: 0 });
      t.strictSame(reads(await hook.run(action), /^Assize holds this for approval/), one.denied);
      await hook.operator.reviews.reject(await pending(), { comment: 'ask finance first' });
      t.match(JSON.stringify(await hook.run(action)), /ask finance first/);
    },
  );

  t.test(`${name}: nothing passes without a decision, unless it was told to`, async (t) => {
    const hook = await hooked(t, one, 'BLOCK', 'RESULT');
    const undecided = /^Assize could not decide/;
    t.strictSame(reads(await hook.run(action, { url: 'http://127.0.0.1:9' }), undecided), one.denied);
    t.strictSame(reads(await hook.run(action, { key: `asz_live_${'x'.repeat(43)}` }), undecided), one.denied);
    if (prompt) {
      const unasked = await hook.run(prompt('hello'), { url: 'http://127.0.0.1:9' });
      t.strictSame(reads(unasked, undecided), one.refusedPrompt);
    }
    t.equal((await hook.run(action, { url: 'http://127.0.0.1:9', onFailure: 'allow' })).exitCode, 0);
    const { input, reads: expected } = one.unknown;
    t.strictSame(reads(await hook.run(input), /does not know this event|this input is of none/), expected);
    if (result) {
      t.match(
        JSON.stringify(await hook.run(result('x'))),
        /no evaluation let the action of this result through/,
      );
    }
  });

  t.test(`${name}: identical calls at the same time each get their result`, async (t) => {
    if (!result) return;
    const hook = await hooked(t, one, 'BLOCK', 'ACTION');
    const allowed = JSON.parse(JSON.stringify(action).replaceAll('forbidden', 'fine'));
    const returned = JSON.parse(JSON.stringify(result('done')).replaceAll('forbidden', 'fine'));
    for (const event of [allowed, allowed, returned, returned])
      t.strictSame(await hook.run(event), { exitCode: 0 });
    const found = await hook.evaluations();
    t.equal(new Set(found.map(({ resultOf }) => resultOf).filter(Boolean)).size, 2);
  });
}

/** Of a sub-agent: a call, and its end. */
const delegated: Record<string, (of: object) => { call: object; end: object }> = {
  copilot: () => {
    const of = { cwd: '/home/ada', agentId: 'sub', agentType: 'explore', parentAgentId: 'p-1' };
    return {
      call: { ...of, sessionId: 'sub', toolName: 'bash', toolArgs: { command: 'ls' } },
      end: { ...of, sessionId: 'p-1', stopReason: 'end_turn' },
    };
  },
  vscode: () => {
    const of = { cwd: '/home/ada', agent_id: 'sub', agent_type: 'explore', parent_agent_id: 'p-1' };
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' } };
    return {
      call: { ...of, ...call, hook_event_name: 'PreToolUse', session_id: 'sub' },
      end: { ...of, hook_event_name: 'SubagentStop', session_id: 'p-1' },
    };
  },
  opencode: () => {
    const call = { tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: 'c' };
    return {
      call: { ...call, hook_event_name: 'PreToolUse', session_id: 'sub', parent_session_id: 'p-1' },
      end: { hook_event_name: 'SessionEnd', session_id: 'sub' },
    };
  },
  cline: (of) => ({
    call: { ...of, agent_id: 'sub', parent_agent_id: 'agent_1_6fwwqf' },
    end: { ...of, agent_id: 'sub', parent_agent_id: 'agent_1_6fwwqf', hookName: 'agent_end' },
  }),
};

for (const [agent, inputs] of Object.entries(delegated)) {
  t.test(`${agent}: a sub-agent has a session under that of the agent that started it`, async (t) => {
    const one = agentCases.findLast((found) => found.agent === agent);
    if (!one) throw new Error(`there are no inputs of ${agent}`);
    const hook = await hooked(t, one, 'BLOCK', 'RESULT');
    const { call, end } = inputs(one.action);
    await hook.run(call);
    const sessions = async () => (await hook.client.sessions.list()).data;
    const parent = (await sessions()).find(({ parentSessionId }) => parentSessionId === null);
    const child = (await sessions()).find(({ id }) => id !== parent?.id);
    t.match(child, { parentSessionId: parent?.id, status: 'ACTIVE', actionCount: 1 });
    t.strictSame(await hook.run(end), { exitCode: 0 });
    t.match((await sessions()).map(({ id, status }) => [id === parent?.id, status]).sort(), [
      [false, 'COMPLETED'],
      [true, 'ACTIVE'],
    ]);
  });
}

t.test('copilot, vscode: a failed tool has a result too', async (t) => {
  const ofCopilot = { toolName: 'bash', toolArgs: { command: 'forbidden' } };
  const ofVsCode = { tool_name: 'Bash', tool_input: { command: 'forbidden' } };
  for (const [agent, before, failed] of [
    ['copilot', ofCopilot, { ...ofCopilot, error: 'no ada@example.com' }],
    [
      'vscode',
      { hook_event_name: 'PreToolUse', ...ofVsCode },
      { hook_event_name: 'PostToolUseFailure', ...ofVsCode, error: 'no ada@example.com' },
    ],
  ] as const) {
    const one = agentCases.find((found) => found.agent === agent);
    if (!one) throw new Error(`there are no inputs of ${agent}`);
    const hook = await hooked(t, one, 'BLOCK', 'RESULT');
    const of = { sessionId: 's-1', session_id: 's-1', cwd: '/home/ada' };
    await hook.run({ ...of, ...before });
    const { stdout = {} } = await hook.run({ ...of, ...failed });
    t.match((stdout as Record<string, unknown>).additionalContext, blocked, agent);
    const [result] = await hook.evaluations();
    t.match(result, { phase: 'RESULT', enforcementAction: 'BLOCK' });
  }
});

t.test('vscode: the harness Copilot reads a warning of a result and of a prompt', async (t) => {
  const one = agentCases.find(({ agent, harness }) => agent === 'vscode' && harness !== 'Local');
  if (!one?.result || !one.prompt) throw new Error('there are no inputs of vscode');
  const read = async (on: 'RESULT' | 'PROMPT', event: object) => {
    const hook = await hooked(t, one, 'WARN', on);
    if (on === 'RESULT') await hook.run(one.action);
    return (await hook.run(event)).stdout as Record<string, unknown>;
  };
  const warned = { additionalContext: /^Assize warns: / };
  t.match(await read('RESULT', one.result('ada@example.com')), { ...warned, hookSpecificOutput: warned });
  t.match(await read('PROMPT', one.prompt('forbidden')), { ...warned, hookSpecificOutput: warned });
});

t.test('windsurf: a call of an MCP server that is not named is stopped', async (t) => {
  const one = agentCases.find(({ agent }) => agent === 'windsurf');
  if (!one) throw new Error('there are no inputs of windsurf');
  const hook = await hooked(t, one, 'BLOCK', 'RESULT');
  const call = (tool_info: object) =>
    hook.run({ agent_action_name: 'pre_mcp_tool_use', trajectory_id: 'w-1', tool_info });
  for (const tool_info of [
    { mcp_server_name: 'crm' },
    { mcp_tool_name: 'send' },
    { mcp_server_name: 'crm', mcp_tool_name: {} },
  ])
    t.match(await call(tool_info), { exitCode: 2, stderr: /tool_name/ }, JSON.stringify(tool_info));
});
