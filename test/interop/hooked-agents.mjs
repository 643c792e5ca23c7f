import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { claudeCode, claudeCodeEnv, scriptedModel, toolUse } from './claude-code.mjs';
import { chatModel, geminiModel, responsesModel } from './scripted-models.mjs';
import { packageFile } from './service.mjs';

// Agents that take a hook: how each is started with a model whose turns are written down.

const platform = `${process.platform}-${process.arch}`;
/** Copilot CLI unpacks itself into it, once. */
const cache = mkdtempSync(join(tmpdir(), 'assize-copilot-'));
after(() => rmSync(cache, { recursive: true, force: true }));

/**
 * `model`: one that speaks the agent's interface. `prepare`: what starts the agent at a place, with that model; the prompt is the last
 * argument. `settings`: where its user's hooks are. `resume`: the arguments that make it go on with the last conversation.
 */
export const agents = {
  'claude-code': {
    model: async (t, turns) => {
      const said = turns.map((turn) => async () => {
        const command = typeof turn === 'function' ? await turn() : turn;
        return command === undefined
          ? [{ type: 'text', text: 'Done.' }]
          : [toolUse('Bash', { command, description: 'as asked' })];
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
      args: ['--allowedTools', 'Bash', '-p'],
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

// The harness of VS Code that runs its hooks is that of Copilot CLI, which reads the same file.
agents.vscode = { ...agents.copilot, settings: '.copilot/hooks/assize-vscode.json' };
