import t, { type Test } from 'tap';
import { type HookOptions, runHook } from '../../../src/cli/hook/run.ts';
import { adminKey, temporaryFolder } from '../../helpers/app.ts';
import { type ListeningApp, listeningApp } from '../../helpers/listen.ts';
import { rule } from '../../helpers/policies.ts';
import { scriptedServer } from '../../helpers/scripted-server.ts';
import { payload } from './payload.ts';

const conversation: string = JSON.parse(payload('stop')).session_id;

/** A hook of an agent whose policy does one thing. */
async function hooked(t: Test, when: string, effect: string, change: Partial<HookOptions> = {}) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(id, rule(when, effect, 'onError: BLOCK'));
  const options: HookOptions = {
    url: app.url,
    key,
    onAllow: 'pass',
    onHold: 'ask',
    onFailure: 'deny',
    limitMs: 5_000,
    waitMs: 5_000,
    stateFolder: temporaryFolder(t),
    ...change,
  };
  return {
    app,
    options,
    client: app.client(key),
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
  const { run } = await hooked(t, '"EMAIL_ADDRESS" in dataTags', 'WARN');
  for (const name of ['pre-tool-use-mcp', 'post-tool-use-read', 'user-prompt-submit']) {
    t.match(await run(name), {
      systemMessage: /Assize warns/,
      hookSpecificOutput: { additionalContext: /Assize warns/, permissionDecision: undefined },
      decision: undefined,
    });
  }
});

t.test(
  'a prompt and a result are judged under the name of their event, and stopped in its form',
  async (t) => {
    const { run } = await hooked(t, 'tool in ["UserPromptSubmit", "PostToolUse"]', 'BLOCK');
    t.match(await run('user-prompt-submit'), { decision: 'block', reason: /Assize blocks this/ });
    t.match(await run('post-tool-use-read'), { decision: 'block', reason: /Assize blocks this/ });
    t.strictSame(await run('pre-tool-use-bash'), {});
  },
);

t.test('all events of a conversation are in one session, and its end ends it', async (t) => {
  const hook = await hooked(t, 'false', 'BLOCK');
  for (const name of ['user-prompt-submit', 'pre-tool-use-mcp', 'post-tool-use-read']) await hook.run(name);
  t.match(await sessions(hook), [
    {
      externalSessionId: conversation,
      status: 'ACTIVE',
      actionCount: 3,
      toolCounts: { mcp__crm__send_email: 1, UserPromptSubmit: 1, PostToolUse: 1 },
    },
  ]);
  const [session] = await sessions(hook);
  const { data } = await hook.client.sessions.evaluations(`${session?.id}`);
  t.match(data[1], {
    tool: 'mcp__crm__send_email',
    targetMetadata: { agent_id: 'a7d1f3c2', cwd: '/home/ada/shop', permission_mode: 'acceptEdits' },
  });
  t.strictSame(await hook.run('session-end'), {});
  t.match(await sessions(hook), [{ status: 'COMPLETED' }]);
  t.strictSame(await hook.run('session-end'), {}, 'twice is no failure');
});

t.test('what a tool gave back is remembered when the next one is judged', async (t) => {
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
  t.strictSame(await runHook(payload('pre-tool-use-bash'), denying), {}, 'once');
  t.match(await runHook(payload('pre-tool-use-bash'), denying), denied);
});

t.test('a held tool waits for its reviewer', async (t) => {
  const hook = await hooked(t, 'tool == "Bash"', 'APPROVAL_REQUIRED', { onHold: 'wait' });
  const operator = hook.app.client(adminKey);
  for (const [verb, output] of [
    ['approve', {}],
    ['reject', { hookSpecificOutput: { permissionDecision: 'deny' } }],
  ] as const) {
    const waiting = hook.run('pre-tool-use-bash');
    let review: string | undefined;
    while (review === undefined) review = (await operator.reviews.list({ status: 'PENDING' })).data[0]?.id;
    await operator.reviews[verb](review);
    t.match(await waiting, output);
  }
  t.match(await runHook(payload('pre-tool-use-bash'), { ...hook.options, waitMs: 30 }), {
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: /holds this/ },
  });
});

t.test('without a decision every event is stopped, asked about, or let pass, as was chosen', async (t) => {
  const closed = await scriptedServer(t, (response) => response.destroy());
  const silent = await scriptedServer(t, () => undefined);
  const broken = await scriptedServer(t, {
    status: 500,
    body: { success: false, errors: [{ code: 'internal', message: 'broken' }] },
  });
  const strange = await scriptedServer(t, { status: 200, body: '<html>' });
  const hook = await hooked(t, 'false', 'BLOCK', { limitMs: 200 });
  const failures: Partial<HookOptions>[] = [
    { url: closed.url },
    { url: silent.url },
    { url: broken.url },
    { url: strange.url },
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

t.test('an event that has nothing to be judged is left alone', async (t) => {
  const hook = await hooked(t, 'true', 'BLOCK');
  t.equal(await hook.run('stop'), null);
  t.strictSame(await sessions(hook), []);
});

t.test('what is no hook input is refused, without quoting it', async (t) => {
  const { options } = await hooked(t, 'false', 'BLOCK');
  for (const text of [
    '',
    '{"secret":',
    '"secret"',
    '[]',
    'null',
    '{}',
    '{"hook_event_name":"PreToolUse"}',
    payload('pre-tool-use-bash', { session_id: 'x'.repeat(256) }),
    payload('pre-tool-use-bash', { tool_name: 7 }),
    payload('user-prompt-submit', { prompt: undefined }),
  ]) {
    await t.rejects(runHook(text, options), { message: /^the hook input (?!.*secret)/ }, text);
  }
});
