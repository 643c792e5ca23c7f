import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { program } from '../helpers/process.ts';
import { agents } from './hooked-agents.mjs';
import { adminKey, folderOf, packageFile, startService } from './service.mjs';

/** In a rule: whether a command of an agent's shell has this word. */
export const runs = (word) =>
  `arguments.?command.orValue(arguments.?commands[?0].orValue("")).contains("${word}")`;

/** An agent in a home and a project of its own, with the hook installed as its user does it. */
export async function hooked(t, name, policy, { agent = agents[name], flags = agent.flags ?? [] } = {}) {
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, policy);
  const place = { home: folderOf(t), project: folderOf(t) };
  // Cline leaves a daemon behind.
  t.after(() => spawnSync('pkill', ['-f', '--', `--cwd ${place.project}`]));
  const path = `${process.env.PATH}:${packageFile('.bin')}`;
  const environment = { PATH: path, HOME: place.home, TMPDIR: place.home };
  const assize = (...args) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: place.project,
      encoding: 'utf8',
      env: environment,
    });
  const own = join(place.home, 'assize');
  for (const file of ['.config/assize/hook.env', agent.settings])
    mkdirSync(dirname(join(place.home, file)), { recursive: true });
  const hook = {
    /** The file with the address and the key of the service, which the hook reads each time. */
    configure({ url = service.base, apiKey = key } = {}) {
      const lines = `ASSIZE_URL=${url}\nASSIZE_KEY=${apiKey}\n`;
      writeFileSync(join(place.home, '.config/assize/hook.env'), lines);
    },
    /** A program of this agent alone, which can be taken away while it runs. */
    own,
    /** With flags of its own behind those of the installed command. */
    putOwn: (more = '') =>
      writeFileSync(own, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@" ${more}\n`, {
        mode: 0o755,
      }),
    removeOwn: () => rmSync(own),
    /** Returns what it said. */
    install(...more) {
      const file = join(place.home, agent.settings);
      const { status, stderr } = assize('hook', 'install', name, '--file', file, '--yes', ...flags, ...more);
      assert.equal(status, 0, stderr);
      return stderr;
    },
  };
  hook.configure();
  hook.install();
  async function start(more, prompt, turns) {
    const model = await agent.model(t, turns);
    const { command, args, env } = await agent.prepare(place, model, { t, environment });
    const child = spawn(command, [...args.slice(0, -1), ...more, ...args.slice(-1), prompt], {
      cwd: place.project,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 240_000,
    });
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    return Object.assign(model, { said: said.join('') });
  }
  return {
    hook,
    assize,
    key,
    service,
    made: (file) => existsSync(join(place.project, file)),
    read: (file) => readFileSync(join(place.project, file), 'utf8'),
    run: (prompt, ...turns) => start([], prompt, turns),
    /** Goes on with the last conversation. */
    resume: (prompt, ...turns) => start(agent.resume, prompt, turns),
    async review(verb, body = {}) {
      const { body: found } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
      await service.call(adminKey, 'POST', `/v1/reviews/${found.data[0].id}/${verb}`, body);
    },
    /** As an operator, with what ends a session when nothing else is said. */
    async stop() {
      const { body } = await service.call(adminKey, 'GET', '/v1/evaluation-sessions?status=ACTIVE');
      for (const { id } of body.data)
        await service.call(adminKey, 'POST', `/v1/evaluation-sessions/${id}/end`);
    },
    sessions: async () => (await service.call(key, 'GET', '/v1/evaluation-sessions')).body.data,
    /** Those of each session. */
    async evaluations() {
      const { body } = await service.call(key, 'GET', '/v1/evaluation-sessions');
      const listed = body.data.map(async ({ id }) => {
        const path = `/v1/evaluation-sessions/${id}/evaluations?size=50`;
        return (await service.call(key, 'GET', path)).body.data.reverse();
      });
      return Promise.all(listed);
    },
  };
}
