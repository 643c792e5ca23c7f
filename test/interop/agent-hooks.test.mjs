import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { rule } from '../helpers/policies.ts';
import { program } from '../helpers/process.ts';
import { chatModel, geminiModel, responsesModel } from './scripted-models.mjs';
import { adminKey, folderOf, packageFile, startService } from './service.mjs';

// The real Codex, Gemini CLI, Copilot CLI and opencode, with a model whose turns are written down, under the hook as their users
// install it.

const platform = `${process.platform}-${process.arch}`;
/** Copilot CLI unpacks itself into it, once. */
const cache = mkdtempSync(join(tmpdir(), 'assize-copilot-'));
after(() => rmSync(cache, { recursive: true, force: true }));

const agents = {
  codex: {
    model: responsesModel,
    prepare({ home }, { url }) {
      writeFileSync(
        join(home, '.codex/config.toml'),
        `model = "scripted"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n`,
      );
      return {
        command: process.execPath,
        args: [
          packageFile('@openai/codex/bin/codex.js'),
          'exec',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          // Its user would be asked once whether to trust the hook.
          '--dangerously-bypass-hook-trust',
        ],
        env: { SCRIPTED_KEY: 'none' },
      };
    },
    settings: '.codex/hooks.json',
  },
  'gemini-cli': {
    model: geminiModel,
    prepare({ home }, { url }) {
      const file = join(home, '.gemini/settings.json');
      const settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
      const security = { auth: { selectedType: 'gemini-api-key' } };
      writeFileSync(
        file,
        JSON.stringify({ ...settings, security, privacy: { usageStatisticsEnabled: false } }),
      );
      return {
        command: process.execPath,
        args: [packageFile('@google/gemini-cli/bundle/gemini.js'), '--yolo', '--skip-trust', '-p'],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, NO_BROWSER: '1' },
      };
    },
    settings: '.gemini/settings.json',
  },
  copilot: {
    model: chatModel,
    prepare: (_, { url }) => ({
      command: packageFile(`@github/copilot-${platform}/copilot`),
      args: ['--allow-all-tools', '-p'],
      env: {
        XDG_CACHE_HOME: cache,
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_MODEL: 'scripted',
      },
    }),
    settings: '.copilot/hooks/assize.json',
  },
  opencode: {
    model: chatModel,
    prepare({ home }, { url }) {
      const options = { baseURL: `${url}/v1`, apiKey: 'none' };
      const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { model: { tool_call: true } } };
      const settings = { model: 'scripted/model', share: 'disabled', provider: { scripted } };
      writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(settings));
      return {
        command: packageFile(`opencode-${platform}/bin/opencode`),
        args: ['run'],
        env: {
          OPENCODE_DISABLE_AUTOUPDATE: 'true',
          OPENCODE_DISABLE_DEFAULT_PLUGINS: 'true',
          OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
          OPENCODE_DISABLE_MODELS_FETCH: 'true',
          npm_config_offline: 'true',
        },
      };
    },
    settings: '.config/opencode/plugins/assize.js',
  },
};

/** An agent with the hook installed, under a policy of one rule. */
async function hooked(t, name, when, effect, { on = 'ACTION', flags = [], config } = {}) {
  const agent = agents[name];
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, rule(when, effect).replace('    when:', `    on: [${on}]\n    when:`));
  const place = { home: folderOf(t), project: folderOf(t) };
  const environment = { PATH: process.env.PATH, HOME: place.home, TMPDIR: place.home };
  for (const file of ['.config/assize/hook.env', agent.settings])
    mkdirSync(dirname(join(place.home, file)), { recursive: true });
  const server = { ASSIZE_URL: service.base, ASSIZE_KEY: key, ...config };
  const lines = Object.entries(server).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(place.home, '.config/assize/hook.env'), lines.join(''));
  const installed = spawnSync(
    process.execPath,
    [program, 'hook', 'install', name, '--file', join(place.home, agent.settings), '--yes', ...flags],
    { encoding: 'utf8', env: environment },
  );
  assert.equal(installed.status, 0, installed.stderr);
  return {
    ...service,
    made: (file) => existsSync(join(place.project, file)),
    async run(...turns) {
      const model = await agent.model(t, turns);
      const { command, args, env } = agent.prepare(place, model);
      const child = spawn(command, [...args, 'Go.'], {
        cwd: place.project,
        env: { ...environment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      const [said, wrong] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { ...model, said: said + wrong };
    },
    review: async (verb, body = {}) => {
      const { body: found } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
      await service.call(adminKey, 'POST', `/v1/reviews/${found.data[0].id}/${verb}`, body);
    },
    sessions: async () => (await service.call(key, 'GET', '/v1/evaluation-sessions')).body.data,
    key,
  };
}

const anything = 'tool != ""';

// The harness of VS Code that runs its hooks is that of Copilot CLI, which reads the same file.
agents.vscode = { ...agents.copilot, settings: '.copilot/hooks/assize-vscode.json' };

for (const name of Object.keys(agents)) {
  test(`${name}: runs what is allowed, not what is blocked, in one session, with its results`, async (t) => {
    const when = 'input.arguments.?command.orValue("").startsWith("touch b")';
    const agent = await hooked(t, name, when, 'BLOCK');
    const { results } = await agent.run('touch a', 'touch b');
    assert.deepEqual([agent.made('a'), agent.made('b')], [true, false]);
    assert.match(results[1], /Assize blocks this: .*the-rule/);
    const [session, ...others] = await agent.sessions();
    assert.equal(others.length, 0);
    const { body } = await agent.call(agent.key, 'GET', `/v1/evaluation-sessions/${session.id}/evaluations`);
    const phases = body.data.map(({ phase }) => phase).reverse();
    assert.deepEqual(phases, ['PROMPT', 'ACTION', 'RESULT', 'ACTION']);
  });

  test(`${name}: goes on after a warning`, async (t) => {
    const agent = await hooked(t, name, anything, 'WARN');
    await agent.run('touch a');
    assert.equal(agent.made('a'), true);
  });

  test(`${name}: runs a held command once it is approved, and reads why one was rejected`, async (t) => {
    const agent = await hooked(t, name, anything, 'APPROVAL_REQUIRED');
    const { results } = await agent.run(
      'echo x >> a',
      async () => {
        await agent.review('approve');
        return 'echo x >> a';
      },
      'touch b',
      async () => {
        await agent.review('reject', { comment: 'ask finance first' });
        return 'touch b';
      },
    );
    assert.match(results[0], /Assize holds this for approval/);
    assert.doesNotMatch(results[1], /Assize/);
    assert.match(results[3], /ask finance first/);
    assert.deepEqual([agent.made('a'), agent.made('b')], [true, false]);
  });

  test(`${name}: runs nothing when the service is down, the key is wrong or the hook is gone`, async (t) => {
    const wrong = `asz_live_${'x'.repeat(43)}`;
    for (const options of [
      { config: { ASSIZE_URL: 'http://127.0.0.1:9' } },
      { config: { ASSIZE_KEY: wrong } },
      { flags: ['--program', '/nowhere/assize'] },
    ]) {
      const agent = await hooked(t, name, 'false', 'BLOCK', options);
      await agent.run('touch a');
      assert.equal(agent.made('a'), false, JSON.stringify(options));
    }
  });

  test(`${name}: shows its model neither a blocked result nor a blocked prompt`, async (t) => {
    const results = await hooked(t, name, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', { on: 'RESULT' });
    const read = await results.run('printf "%s@%s" bob example.com');
    assert.match(read.results[0], /Assize blocks this: /);
    assert.doesNotMatch(read.seen, /bob@example/);
    const prompts = await hooked(t, name, 'input.prompt == "Go."', 'BLOCK', { on: 'PROMPT' });
    const stopped = await prompts.run('touch a');
    assert.equal(prompts.made('a'), false);
    assert.deepEqual(stopped.results, []);
  });
}
