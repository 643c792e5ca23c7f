import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../helpers/free-port.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { claudeCode, claudeCodeEnv, scriptedModel, toolUse } from './claude-code.mjs';
import { chatModel, geminiModel, responsesModel } from './scripted-models.mjs';
import { packageFile } from './service.mjs';

// Agents that take a hook: how each is started with a model whose turns are written down.

const platform = `${process.platform}-${process.arch}`;
/** Copilot CLI unpacks itself into it, once. */
const cache = mkdtempSync(join(tmpdir(), 'assize-copilot-'));
after(() => removeFolder(cache));

/**
 * `model`: one that speaks the agent's interface. `prepare`: what starts the agent at a place, with that model; the prompt is the last
 * argument. `settings`: where its user's hooks are. `resume`: the arguments that make it go on with the last conversation. `delegate`:
 * the call that starts a sub-agent. `stopsRuns`: a stopped action ends the run, so that nothing comes after it.
 * `silentPrompts`: without a terminal it does not print why a prompt was stopped.
 */
export const agents = {
  'claude-code': {
    model: async (t, turns) => {
      const said = turns.map((turn) => async () => {
        const call = typeof turn === 'function' ? await turn() : turn;
        if (call === undefined) return [{ type: 'text', text: 'Done.' }];
        const use =
          typeof call === 'string'
            ? toolUse('Bash', { command: call, description: 'as asked' })
            : toolUse(call.tool, call.input);
        // A resumed conversation gets calls with other ids.
        return [{ ...use, id: `toolu_${randomUUID()}` }];
      });
      const { url, results, seen } = await scriptedModel(t, said);
      return {
        url,
        results,
        get seen() {
          return seen();
        },
      };
    },
    prepare: (place, { url }) => ({
      command: claudeCode,
      args: ['--allowedTools', 'Bash,mcp__crm__send_email', '-p'],
      env: { ...claudeCodeEnv(place), ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-none' },
    }),
    settings: '.claude/settings.json',
    resume: ['--continue'],
    // Its user would decide otherwise.
    flags: ['--on-hold', 'deny'],
    // Whatever a hook returns.
    alwaysShowsErrors: true,
  },
  codex: {
    model: responsesModel,
    prepare: (_, { url }) => ({
      command: process.execPath,
      args: [
        packageFile('@openai/codex/bin/codex.js'),
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '-c',
        'model="scripted"',
        '-c',
        'model_provider="scripted"',
        '-c',
        `model_providers.scripted={ name = "scripted", base_url = "${url}/v1", wire_api = "responses", env_key = "SCRIPTED_KEY" }`,
        '--',
      ],
      env: { SCRIPTED_KEY: 'none' },
    }),
    // Its user would be asked once whether to trust the hook.
    flags: ['--trust'],
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
        env: {
          GEMINI_API_KEY: 'none',
          GOOGLE_GEMINI_BASE_URL: url,
          NO_BROWSER: '1',
          GEMINI_CLI_NO_RELAUNCH: 'true',
        },
      };
    },
    settings: '.gemini/settings.json',
    resume: ['--resume', 'latest'],
  },
  copilot: {
    model: chatModel,
    prepare: (_, { url }) => ({
      command: packageFile(`@github/copilot-${platform}/copilot`),
      args: ['--allow-all-tools', '--allow-all-paths', '-p'],
      env: {
        XDG_CACHE_HOME: cache,
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_MODEL: 'scripted',
      },
    }),
    settings: '.copilot/hooks/assize.json',
    delegate: {
      tool: 'task',
      input: {
        agent_type: 'general-purpose',
        name: 'sub',
        description: 'as asked',
        prompt: 'Go on.',
        mode: 'sync',
      },
    },
    resume: ['--continue'],
    // Its error names the file. The error of a command is no error of its shell.
    failing: { tool: 'create', input: { path: '/proc/ada@example.com', file_text: 'x' } },
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
        args: ['run', '--'],
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
    resume: ['--continue'],
    silentPrompts: true,
    delegate: {
      tool: 'task',
      input: { subagent_type: 'general', description: 'as asked', prompt: 'Go on.' },
    },
  },
};

const clineCli = packageFile(`@cline/cli-${platform}/bin/cline`);
agents.cline = {
  model: chatModel,
  prepare({ home }, { url }) {
    const env = { PATH: process.env.PATH, HOME: home, CLINE_NO_AUTO_UPDATE: '1' };
    // As `cline auth -p openai` writes it, which takes as long as a run.
    const folder = join(home, '.cline/data/settings');
    const provider = 'openai-compatible';
    const settings = { provider, apiKey: 'none', model: 'scripted', baseUrl: `${url}/v1` };
    const updatedAt = new Date().toISOString();
    const providers = { [provider]: { settings, updatedAt, tokenSource: 'manual' } };
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'providers.json'),
      JSON.stringify({ version: 1, lastUsedProvider: provider, modes: {}, providers }),
    );
    return { command: clineCli, args: ['--auto-approve', 'true', '--json'], env };
  },
  // A folder.
  settings: 'Documents/Cline/Hooks/',
  // A stopped action ends the run: cline-hook.test.mjs.
  stopsRuns: true,
  delegate: { tool: 'spawn_agent', input: { systemPrompt: 'As asked.', task: 'Go on.' } },
};

agents.pi = {
  model: chatModel,
  prepare({ home }, { url }) {
    const scripted = {
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: 'none',
      models: [{ id: 'model' }],
    };
    writeFileSync(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { scripted } }));
    return {
      command: process.execPath,
      args: [
        packageFile('@earendil-works/pi-coding-agent/dist/bundle/cli.js'),
        '--provider',
        'scripted',
        '--model',
        'model',
        '-p',
      ],
      env: { PI_OFFLINE: '1' },
    };
  },
  settings: '.pi/agent/extensions/assize.js',
  resume: ['--continue'],
};

/** What Node.js has compiled of it is kept for its next start: a third of what a start costs. */
const { NODE_COMPILE_CACHE } = process.env;
const openClawEnv = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
agents.openclaw = {
  model: chatModel,
  prepare({ home, project }, { url }) {
    const file = join(home, '.openclaw/openclaw.json');
    const { plugins, ...settings } = JSON.parse(readFileSync(file, 'utf8'));
    const model = { id: 'model', name: 'model', contextWindow: 200_000, maxTokens: 1_000 };
    const scripted = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'none', models: [model] };
    const agents = { defaults: { model: { primary: 'scripted/model' }, workspace: project } };
    // Starting its index of memories takes as long as a run.
    const slots = { ...plugins.slots, memory: 'none' };
    writeFileSync(
      file,
      JSON.stringify({
        ...settings,
        plugins: { ...plugins, slots },
        models: { providers: { scripted } },
        agents,
      }),
    );
    const session = ['--session-id', randomUUID()];
    return {
      command: process.execPath,
      args: [
        join(import.meta.dirname, 'openclaw/node_modules/openclaw/openclaw.mjs'),
        'agent',
        '--local',
        '--agent',
        'main',
        ...session,
        '--message',
      ],
      env: openClawEnv,
    };
  },
  settings: '.openclaw/openclaw.json',
};

/** OpenClaw in its gateway, without which it starts no sub-agents. */
export const openClawGateway = {
  ...agents.openclaw,
  async prepare(place, model, { t, environment }) {
    const { command, args } = agents.openclaw.prepare(place, model);
    const [script] = args;
    const port = await freePort();
    const token = randomUUID();
    const file = join(place.home, '.openclaw/openclaw.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    const gateway = { mode: 'local', port, bind: 'loopback', auth: { mode: 'token', token } };
    writeFileSync(file, JSON.stringify({ ...settings, gateway }));
    const child = spawn(command, [script, 'gateway', 'run', '--port', String(port)], {
      cwd: place.project,
      env: { ...environment, ...openClawEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    let said = '';
    const isReady = new Promise((ready, failed) => {
      const hear = (chunk) => {
        said += chunk;
        if (/gateway\] (?:ready|listening)|listening on ws/i.test(said)) ready();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('exit', (code) => failed(new Error(`the gateway ended with ${code}: ${said}`)));
    });
    await isReady;
    return { command, args: args.filter((arg) => arg !== '--local'), env: openClawEnv };
  },
};

agents['qwen-code'] = {
  model: chatModel,
  prepare: (_, { url }) => ({
    command: process.execPath,
    args: [packageFile('@qwen-code/qwen-code/cli-entry.js'), '--yolo', '-p'],
    env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' },
  }),
  settings: '.qwen/settings.json',
  resume: ['--continue'],
  alwaysShowsErrors: true,
  silentPrompts: true,
};

// The harness of VS Code that runs its hooks is that of Copilot CLI, which reads the same file.
agents.vscode = { ...agents.copilot, settings: '.copilot/hooks/assize-vscode.json' };
