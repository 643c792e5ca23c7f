import type { Agent } from './agent.ts';

/** Claude Code, and Codex, which sends the same fields: https://code.claude.com/docs/en/hooks, openai/codex codex-rs/hooks. */
export const claudeCode: Agent = {
  read: (payload) => payload,
  write: ({ event, stop, output }) =>
    event === null
      ? { stdout: { decision: 'deny', reason: `Assize: ${stop}` }, stderr: `${stop}`, exitCode: 2 }
      : { ...(Object.keys(output).length > 0 && { stdout: output }), exitCode: 0 },
};
