import t, { type Test } from 'tap';
import { type HookOptions, runHook } from '../../../src/cli/hook/run.ts';
import { adminKey, temporaryFolder } from '../../helpers/app.ts';
import type { ListeningApp } from '../../helpers/listen.ts';
import { scriptedServer } from '../../helpers/scripted-server.ts';
import { openHookFixture } from './hook-fixture.ts';
import { payload } from './payload.ts';

const conversation: string = JSON.parse(payload('stop')).session_id;

const every = ['ACTION', 'RESULT', 'PROMPT'];

/** A hook of an agent whose policy does one thing. */
async function hooked(
  t: Test,
  when: string,
  effect: string,
  change: Partial<HookOptions> = {},
  on = ['ACTION'],
) {
  const { options: given, ...fixture } = await openHookFixture(t, when, effect, on);
  const options: HookOptions = { ...given, ...change };
  return {
    ...fixture,
    options,
    run: (name: string, payloadChange?: object) => runHook(payload(name, payloadChange), options),
  };
}

const sessions = async ({ client }: { client: ReturnType<ListeningApp['client']> }) =>
  (await client.sessions.list()).data;

t.test(
  'a tool that is allowed goes through the permission prompt it would have had, or skips it',
  async (t) => {
    const hook = await hooked(t, 'false', 'BLOCK');
    t.strictSame(await hook.run('pre-tool-use-bash'), {});
    t.match(await runHook(payload('pre-tool-use-bash'), { ...hook.options, onAllow: 'allow' }), {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    });
  },
);

t.test('a tool that is blocked is denied, with the reason for the model', async (t) => {
  const { run } = await hooked(t, 'tool == "Bash" && input.arguments.command == "npm test"', 'BLOCK');
  t.strictSame(Object.keys((await run('pre-tool-use-bash')) ?? {}), ['hookSpecificOutput']);
  t.match(await run('pre-tool-use-bash'), {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: /Assize blocks this: .*the-rule.* \(one-rule\) \[evaluation /,
    },
  });
  t.strictSame(await run('pre-tool-use-mcp'), {});
});

t.test('a warning goes on, and tells the person and the model', async (t) => {
  const { run } = await hooked(t, '"EMAIL_ADDRESS" in dataTags', 'WARN', {}, every);
  await run('pre-tool-use-bash', { tool_name: 'Read', tool_use_id: 'toolu_1_0' });
  for (const name of ['pre-tool-use-mcp', 'post-tool-use-read', 'user-prompt-submit']) {
    t.match(await run(name), {
      systemMessage: /Assize warns/,
      hookSpecificOutput: { additionalContext: /Assize warns/, permissionDecision: undefined },
      decision: undefined,
    });
  }
});

t.test(
  'a prompt and a result are evaluated in their own phases, and stopped in their own form',
  async (t) => {
    const { run } = await hooked(t, 'phase in ["PROMPT", "RESULT"]', 'BLOCK', {}, every);
    const reason = /^Assize blocks this: /;
    t.strictSame(Object.keys((await run('user-prompt-submit')) ?? {}), ['decision', 'reason']);
    t.match(await run('user-prompt-submit'), { decision: 'block', reason });
    t.strictSame(await run('pre-tool-use-bash', { tool_use_id: 'toolu_1_0' }), {});
    t.match(await run('post-tool-use-read'), {
      decision: 'block',
      reason,
      hookSpecificOutput: { updatedToolOutput: { file: { content: 'withheld by Assize' } } },
    });
    t.strictSame(await run('pre-tool-use-bash'), {});
    const failure = {
      hook_event_name: 'PostToolUseFailure',
      tool_response: undefined,
      error: 'no such file',
    };
    t.match(await run('post-tool-use-read', { ...failure, tool_use_id: 'toolu_2_0' }), {
      decision: 'block',
      reason,
    });
  },
);

t.test('results and prompts count neither as actions nor as tools, however many there are', async (t) => {
  const hook = await hooked(t, 'session.actionCount >= 12', 'BLOCK');
  for (let at = 0; at < 12; at++) {
    const tool_use_id = `toolu_${at}`;
    t.strictSame(await hook.run('user-prompt-submit'), {});
    t.strictSame(await hook.run('pre-tool-use-bash', { tool_use_id }), {});
    t.strictSame(await hook.run('post-tool-use-read', { tool_name: 'Bash', tool_use_id }), {});
  }
  t.match(await sessions(hook), [{ actionCount: 12, toolsUsed: ['Bash'], toolsUsedTotal: 1 }]);
  const { data } = await hook.client.sessions.evaluations(`${(await sessions(hook))[0]?.id}`);
  t.match(data.slice(0, 3), [
    { phase: 'RESULT', status: 'OK', tool: 'Bash', seq: null },
    { phase: 'ACTION', tool: 'Bash', correlationId: 'toolu_11' },
    { phase: 'PROMPT', tool: null, seq: null },
  ]);
  t.equal(data[0]?.resultOf, data[1]?.evaluationRunId);
});

t.test('a result finds its action although nothing could be remembered', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK', { stateFolder: '/dev/null/nowhere' });
  await hook.run('pre-tool-use-bash', { tool_use_id: 'toolu_1_0' });
  t.strictSame(await hook.run('post-tool-use-read'), {});
  const { data } = await hook.client.sessions.evaluations(`${(await sessions(hook))[0]?.id}`);
  t.match(data, [{ phase: 'RESULT' }, { phase: 'ACTION' }]);
});

t.test('a result without an evaluated action is scanned, counted nowhere, and not shown', async (t) => {
  const hook = await hooked(t, '"EMAIL_ADDRESS" in session.dataTags', 'BLOCK');
  const withheld = {
    decision: 'block',
    reason: /no evaluation let the action of this result through/,
    hookSpecificOutput: { updatedToolOutput: { type: 'text' } },
  };
  t.match(await hook.run('post-tool-use-read'), withheld);
  t.match(await sessions(hook), [{ actionCount: 0, toolsUsed: [], dataTags: ['PII', 'EMAIL_ADDRESS'] }]);
  t.match(await hook.run('pre-tool-use-bash'), { hookSpecificOutput: { permissionDecision: 'deny' } });
  const open: HookOptions = { ...hook.options, onFailure: 'allow' };
  t.match(await runHook(payload('post-tool-use-read'), open), { systemMessage: /lets this pass/ });
});

t.test('a second result of an action is not shown: somebody reported another one for it', async (t) => {
  const hook = await hooked(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', {}, ['RESULT']);
  await hook.run('pre-tool-use-bash', { tool_use_id: 'toolu_1_0' });
  const [session] = await sessions(hook);
  const { data } = await hook.client.sessions.evaluations(`${session?.id}`);
  const resultOf = `${data[0]?.evaluationRunId}`;
  await hook.client.evaluate({ phase: 'RESULT', resultOf, status: 'OK', input: { result: 'harmless' } });
  t.match(await hook.run('post-tool-use-read'), { decision: 'block', reason: /already has a result/ });
});

t.test('the result of a tool that a person let run at the terminal is evaluated as a prompt', async (t) => {
  for (const stateFolder of [temporaryFolder(t), '/dev/null/nowhere']) {
    const hook = await hooked(
      t,
      'phase == "ACTION" || input.result == "bad"',
      'APPROVAL_REQUIRED',
      { stateFolder },
      every,
    );
    const id = { tool_use_id: 'toolu_1_0' };
    t.match(await hook.run('pre-tool-use-bash', id), { hookSpecificOutput: { permissionDecision: 'ask' } });
    t.strictSame(await hook.run('post-tool-use-read'), {});
    await hook.run('pre-tool-use-bash', { tool_use_id: 'toolu_9' });
    const bad = { tool_use_id: 'toolu_9', tool_response: 'bad' };
    t.match(await hook.run('post-tool-use-read', bad), { decision: 'block' });
    t.match(await sessions(hook), [{ actionCount: 2 }]);
  }
});

t.test('the result of a held tool that ran although it was denied is not shown', async (t) => {
  const hook = await hooked(t, 'true', 'APPROVAL_REQUIRED');
  t.match(await runHook(payload('pre-tool-use-bash', {}, 'codex'), hook.options), {
    hookSpecificOutput: { permissionDecision: 'deny' },
  });
  t.match(await runHook(payload('post-tool-use-bash', {}, 'codex'), hook.options), {
    decision: 'block',
    reason: /no evaluation let the action of this result through/,
  });
});

t.test('all events of a conversation are in one session, and its end ends it', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK');
  await hook.run('user-prompt-submit');
  await hook.run('pre-tool-use-mcp', { agent_id: undefined });
  await hook.run('post-tool-use-read', { tool_use_id: 'toolu_4_0' });
  t.match(await sessions(hook), [
    {
      externalSessionId: conversation,
      status: 'ACTIVE',
      actionCount: 1,
      toolsUsed: ['mcp__crm__send_email'],
    },
  ]);
  const [session] = await sessions(hook);
  const { data } = await hook.client.sessions.evaluations(`${session?.id}`);
  t.match(data[1], {
    tool: 'mcp__crm__send_email',
    correlationId: 'toolu_4_0',
    targetMetadata: { agent_type: 'general-purpose', cwd: '/home/ada/shop' },
  });
  t.strictSame(await hook.run('session-end'), {});
  t.match(await sessions(hook), [{ status: 'COMPLETED' }]);
  t.strictSame(await hook.run('session-end'), {}, 'twice is no failure');
});

t.test('what a tool returned is remembered when the next action is evaluated', async (t) => {
  const { run } = await hooked(
    t,
    'tool == "mcp__crm__send_email" && "EMAIL_ADDRESS" in session.dataTags',
    'BLOCK',
  );
  t.strictSame(await run('pre-tool-use-mcp'), {});
  await run('post-tool-use-read');
  t.match(await run('pre-tool-use-mcp'), { hookSpecificOutput: { permissionDecision: 'deny' } });
});

t.test('hooks that run side by side share one session, although none of them remembers it', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK', { stateFolder: '/dev/null/nowhere' });
  await Promise.all(Array.from({ length: 8 }, () => hook.run('pre-tool-use-bash')));
  t.match(await sessions(hook), [{ actionCount: 8 }]);
  t.equal((await sessions(hook)).length, 1);
});

t.test('two conversations are two sessions', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK');
  await hook.run('pre-tool-use-bash');
  await hook.run('pre-tool-use-bash', { session_id: 'another' });
  t.strictSame(
    (await sessions(hook)).map(({ externalSessionId }) => externalSessionId).sort(),
    [conversation, 'another'].sort(),
  );
});

t.test('a conversation goes on in another session when its own ended, expired, or is unknown', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK');
  await hook.run('pre-tool-use-bash');
  const [first] = await sessions(hook);
  await hook.client.sessions.end(`${first?.id}`);
  t.strictSame(await hook.run('pre-tool-use-bash'), {});
  t.equal((await sessions(hook)).length, 2);
  hook.app.clock.advance(25 * 3_600_000);
  t.strictSame(await hook.run('pre-tool-use-bash'), {});
  t.match(await sessions(hook), [{ status: 'ACTIVE', actionCount: 1 }, {}, {}]);

  const other = await hooked(t, 'false', 'BLOCK');
  t.strictSame(
    await runHook(payload('pre-tool-use-bash'), {
      ...hook.options,
      ...{ url: other.options.url, key: other.options.key },
    }),
    {},
  );
});

t.test('a resumed conversation knows what its ended and expired sessions have seen', async (t) => {
  const hook = await hooked(
    t,
    'tool == "mcp__crm__send_email" && "EMAIL_ADDRESS" in session.dataTags',
    'BLOCK',
  );
  await hook.run('post-tool-use-read');
  const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };
  for (const leave of ['end', 'expire', 'end']) {
    if (leave === 'end') await hook.run('session-end');
    else hook.app.clock.advance(25 * 3_600_000);
    t.match(await hook.run('pre-tool-use-mcp'), denied, leave);
  }
  const { data } = await hook.client.sessions.list({ externalSessionId: conversation });
  const [last, third, second, first] = data;
  t.match(last, { previousSessionId: third?.id, rootSessionId: first?.id, depth: 1 });
  t.match(third, { previousSessionId: second?.id, rootSessionId: first?.id });
  t.match(second, { previousSessionId: first?.id, status: 'EXPIRED' });
  t.match(first, { previousSessionId: null, depth: 0 });
  const other = { session_id: 'another' };
  t.strictSame(await hook.run('pre-tool-use-mcp', other), {}, 'another conversation has not seen it');
});

t.test('what an operator ended, the hook does not begin anew', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK');
  const subAgent = { agent_id: 'a7d1f3c2' };
  const stop = async (externalSessionId: string) => {
    const { data } = await hook.client.sessions.list({ externalSessionId, size: 1 });
    await hook.app.call(adminKey, 'POST', `/v1/evaluation-sessions/${data[0]?.id}/end`);
  };
  const stopped = {
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: /previous session cannot be continued: an operator ended it/,
    },
  };
  t.strictSame(await hook.run('pre-tool-use-bash', subAgent), {});
  await stop(`${conversation}/a7d1f3c2`);
  t.match(await hook.run('pre-tool-use-bash', subAgent), stopped, 'of a sub-agent');
  t.strictSame(await hook.run('pre-tool-use-bash'), {}, 'the conversation goes on');
  await stop(conversation);
  t.match(await hook.run('pre-tool-use-bash'), stopped, 'while it runs');
  t.match(await hook.run('user-prompt-submit'), { decision: 'block' });
  await hook.run('session-end');
  t.match(await hook.run('pre-tool-use-bash'), stopped, 'when it is resumed');
  t.match(await hook.run('pre-tool-use-bash', { agent_id: 'b1' }), stopped, 'and for new sub-agents');
  t.equal((await sessions(hook)).length, 2);
  t.strictSame(await hook.run('pre-tool-use-bash', { session_id: 'another' }), {});
});

t.test('a held tool asks the person, or is denied until a reviewer approves it', async (t) => {
  const hook = await hooked(t, 'tool == "Bash"', 'APPROVAL_REQUIRED');
  t.match(await hook.run('pre-tool-use-bash'), {
    hookSpecificOutput: {
      permissionDecision: 'ask',
      permissionDecisionReason: /holds this for approval: .* \[review /,
    },
  });
  const denying: HookOptions = { ...hook.options, onHold: 'deny' };
  const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };
  t.match(await runHook(payload('pre-tool-use-bash'), denying), denied);
  const operator = hook.app.client(adminKey);
  const { data, pagination } = await operator.reviews.list();
  t.equal(pagination.total, 1, 'the same action again is the same review');
  await operator.reviews.approve(`${data[0]?.id}`);
  const retried = { tool_use_id: 'toolu_7', permission_mode: 'auto' };
  t.strictSame(await runHook(payload('pre-tool-use-bash', retried), denying), {}, 'once');
  t.match(await runHook(payload('pre-tool-use-bash'), denying), denied);
});

t.test('a held tool waits for its reviewer', async (t) => {
  const hook = await hooked(t, 'tool == "Bash"', 'APPROVAL_REQUIRED', { onHold: 'wait' });
  const operator = hook.app.client(adminKey);
  for (const [verb, output] of [
    ['approve', {}],
    [
      'reject',
      {
        hookSpecificOutput: {
          permissionDecision: 'deny',
          permissionDecisionReason: /^Assize blocks this: the reviewer says: not today; /,
        },
      },
    ],
  ] as const) {
    const waiting = hook.run('pre-tool-use-bash');
    let review: string | undefined;
    while (review === undefined) review = (await operator.reviews.list({ status: 'PENDING' })).data[0]?.id;
    await operator.reviews[verb](review, { comment: 'not today' });
    t.match(await waiting, output);
  }
  // What was rejected stays rejected: asking again and again must not wear the reviewer down.
  t.match(await hook.run('pre-tool-use-bash'), {
    hookSpecificOutput: { permissionDecisionReason: /^Assize blocks this: the reviewer says: not today; / },
  });
  t.equal((await operator.reviews.list()).pagination.total, 2);
  const other = { tool_input: { command: 'ls' } };
  t.match(
    await runHook(payload('pre-tool-use-bash', other), { ...hook.options, waitMs: 30 }),
    { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: /holds this/ } },
    'until the wait is over',
  );
});

t.test('an approval of one big number lets no other one pass', async (t) => {
  const hook = await hooked(t, 'tool == "Bash"', 'APPROVAL_REQUIRED', { onHold: 'deny' });
  const paying = (amount: string) =>
    runHook(
      payload('pre-tool-use-bash', { tool_input: { amount: 0 } }).replace('"amount":0', `"amount":${amount}`),
      hook.options,
    );
  const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };
  t.match(await paying('9007199254740993'), denied);
  const operator = hook.app.client(adminKey);
  await operator.reviews.approve(`${(await operator.reviews.list()).data[0]?.id}`);
  t.match(await paying('9007199254740992'), denied, 'the same number to JSON.parse');
  t.strictSame(await paying('9007199254740993'), {});
});

t.test('without a decision every event is stopped, asked about, or let pass, as was chosen', async (t) => {
  const closed = await scriptedServer(t, (response) => response.destroy());
  const silent = await scriptedServer(t, () => undefined);
  const broken = await scriptedServer(t, {
    status: 500,
    body: { success: false, errors: [{ code: 'internal', message: 'broken' }] },
  });
  const strange = await scriptedServer(t, { status: 200, body: '<html>' });
  const json = { 'content-type': 'application/json' };
  const slow = await scriptedServer(t, (response) => {
    response.writeHead(200, json).write('{');
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  });
  const cut = await scriptedServer(t, (response) => {
    response.writeHead(200, { ...json, 'content-length': 1_000 }).write('{"success":true,');
    setTimeout(() => response.destroy(), 20);
  });
  const hook = await hooked(t, 'false', 'BLOCK', { limitMs: 200 });
  const failures: Partial<HookOptions>[] = [
    { url: closed.url },
    { url: silent.url },
    { url: broken.url },
    { url: strange.url },
    { url: slow.url },
    { url: cut.url },
    { url: 'not a url' },
    { key: undefined },
    { key: `asz_live_${'x'.repeat(43)}` },
  ];
  for (const failure of failures) {
    const options = { ...hook.options, ...failure };
    const why = JSON.stringify(failure);
    const reason = /^Assize could not decide, so this does not pass: ./;
    t.match(
      await runHook(payload('pre-tool-use-bash'), options),
      { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: reason } },
      why,
    );
    t.match(await runHook(payload('pre-tool-use-bash'), { ...options, onFailure: 'ask' }), {
      hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: reason },
    });
    for (const event of ['user-prompt-submit', 'post-tool-use-read']) {
      t.match(await runHook(payload(event), options), { decision: 'block', reason });
    }
    const open = await runHook(payload('pre-tool-use-bash'), { ...options, onFailure: 'allow' });
    t.match(open, { systemMessage: /could not decide, and lets this pass: ./ });
    t.strictSame(Object.keys(open ?? {}), ['systemMessage']);
    t.notMatch(JSON.stringify(open), `${hook.options.key}`, 'no key in what others read');
    t.strictSame(await runHook(payload('session-end'), options), {});
  }
});

t.test('an event with nothing to evaluate is left alone', async (t) => {
  const hook = await hooked(t, 'true', 'BLOCK');
  t.equal(await hook.run('stop'), null);
  t.strictSame(await sessions(hook), []);
});

t.test('ask is the answer only for a caller that is known to honour it', async (t) => {
  const hook = await hooked(t, 'tool == "Bash"', 'APPROVAL_REQUIRED');
  const denied = {
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: /a reviewer must approve it.*same call again/,
    },
  };
  const unsure = { permission_mode: 'bypassPermissions' };
  for (const change of [
    unsure,
    { permission_mode: 'auto' },
    { permission_mode: 'dontAsk' },
    { permission_mode: undefined },
    { permission_mode: 'a mode of tomorrow' },
    { prompt_id: undefined },
    { turn_id: '1' },
    { model: 'gpt-5' },
  ]) {
    t.match(await hook.run('pre-tool-use-bash', change), denied, JSON.stringify(change));
  }
  t.match(await runHook(payload('pre-tool-use-bash', {}, 'codex'), hook.options), denied);
  for (const permission_mode of ['default', 'acceptEdits', 'plan']) {
    t.match(await hook.run('pre-tool-use-bash', { permission_mode }), {
      hookSpecificOutput: { permissionDecision: 'ask' },
    });
  }
  const failing: HookOptions = { ...hook.options, key: undefined, onFailure: 'ask' };
  t.match(await runHook(payload('pre-tool-use-bash', unsure), failing), {
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: /could not decide/ },
  });
});

t.test('Codex gets no field that it does not know, because it runs the tool when it meets one', async (t) => {
  const hook = await hooked(t, 'phase == "RESULT"', 'BLOCK', { onAllow: 'allow' }, every);
  t.strictSame(await runHook(payload('pre-tool-use-bash', {}, 'codex'), hook.options), {});
  const output = await runHook(payload('post-tool-use-bash', {}, 'codex'), hook.options);
  t.strictSame(Object.keys(output ?? {}), ['decision', 'reason']);
});

t.test('a missing field is denied in the form of its event', async (t) => {
  const { run, options } = await hooked(t, 'false', 'BLOCK');
  const denied = (why: RegExp) => ({
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: why },
  });
  for (const [field, why] of [
    ['session_id', /no session_id/],
    ['tool_name', /no tool_name/],
    ['tool_input', /no tool_input/],
    ['tool_use_id', /no tool_use_id/],
  ] as const) {
    t.match(await run('pre-tool-use-bash', { [field]: undefined }), denied(why), field);
  }
  t.match(await run('pre-tool-use-bash', { session_id: 'x'.repeat(256) }), denied(/session_id/));
  t.match(await run('pre-tool-use-bash', { tool_name: 7 }), denied(/tool_name .* must be a text/));
  const response = JSON.parse(payload('post-tool-use-read')).tool_response;
  const renamed = { tool_response: undefined, tool_result: response };
  t.match(await run('post-tool-use-read', renamed), { decision: 'block', reason: /no tool_response/ });
  t.match(await run('user-prompt-submit', { prompt: undefined }), { decision: 'block', reason: /no prompt/ });
  const open: HookOptions = { ...options, onFailure: 'allow' };
  t.match(await runHook(payload('post-tool-use-read', renamed), open), { systemMessage: /lets this pass/ });
});

t.test(
  'an event that is not known is refused, and so is what is no hook input, without quoting it',
  async (t) => {
    const { options } = await hooked(t, 'false', 'BLOCK');
    for (const text of [
      payload('pre-tool-use-bash', { hook_event_name: 'BeforeTool' }),
      payload('pre-tool-use-bash', { hook_event_name: 'PermissionRequest' }),
      payload('pre-tool-use-bash', { hook_event_name: 'preToolUse' }),
      payload('pre-tool-use-bash', { hook_event_name: 'Stop' }),
      payload('user-prompt-submit', { hook_event_name: 'BeforeAgent' }),
      '',
      '{"secret":',
      '"secret"',
      '[]',
      'null',
      '{}',
    ]) {
      await t.rejects(
        runHook(text, options),
        { message: /hook input (?!.*secret)|does not know this event/ },
        text,
      );
    }
  },
);

t.test('a response of more than 1 MB decides nothing', async (t) => {
  const body = { success: true, data: [{ status: 'ACTIVE', id: 'x', more: 'x'.repeat(1_100_000) }] };
  const large = await scriptedServer(t, { status: 200, body });
  const hook = await hooked(t, 'false', 'BLOCK', { url: large.url });
  t.match(await hook.run('pre-tool-use-bash'), {
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: /larger than 1048576 bytes/ },
  });
});

t.test('a reason that is told stays short, whatever the messages of policies say', async (t) => {
  const hook = await hooked(t, 'true', 'BLOCK');
  const long = { tool_name: `x${'y'.repeat(900)}`, tool_input: { text: 'z'.repeat(5_000) } };
  const output = JSON.stringify(await hook.run('pre-tool-use-bash', long));
  t.ok(output.length < 8_000, `${output.length} characters`);
});

t.test('a sub-agent has a session under that of the conversation, until it stops', async (t) => {
  const { run, client } = await hooked(t, 'false', 'BLOCK');
  const ofSubAgent = { agent_id: 'a7d1f3c2' };
  await Promise.all([
    run('pre-tool-use-bash', { ...ofSubAgent, tool_use_id: 'toolu_1' }),
    run('pre-tool-use-bash', { ...ofSubAgent, tool_use_id: 'toolu_2' }),
  ]);
  await run('pre-tool-use-bash');
  const find = async (externalSessionId: string) => {
    const { data } = await client.sessions.list({ externalSessionId });
    t.equal(data.length, 1);
    return client.sessions.get(`${data[0]?.id}`);
  };
  const parent = await find(conversation);
  t.match(parent, { parentSessionId: null, actionCount: 1 });
  const child = `${conversation}/a7d1f3c2`;
  t.match(await find(child), { parentSessionId: parent.id, actionCount: 2, status: 'ACTIVE' });

  t.strictSame(await run('stop', { ...ofSubAgent, hook_event_name: 'SubagentStop' }), {});
  t.match(await find(child), { status: 'COMPLETED' });
  t.match(await find(conversation), { status: 'ACTIVE' });
});

t.test('an id of a sub-agent that is no text stops the call', async (t) => {
  const { run } = await hooked(t, 'false', 'BLOCK');
  for (const agent_id of [7, '', 'x'.repeat(101)])
    t.match(await run('pre-tool-use-bash', { agent_id }), {
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: /agent_id/ },
    });
});
