import type { Outcome, Payload, Written } from './agents/agent.ts';
import { type AgentName, agents } from './agents/index.ts';
import { isHookEvent } from './events.ts';
import { HookInputError } from './input-error.ts';
import type { HookOutput } from './output.ts';
import { parsePayload } from './payload.ts';
import { type HookOptions, runHook } from './run.ts';

/** One run of the hook of any agent: its input in, what it reads out. Rejects only where everything is let pass. */
export async function runAgentHook(
  name: AgentName,
  text: string,
  options: Omit<HookOptions, 'agent'>,
): Promise<Written> {
  const agent = agents[name];
  let payload: Payload = {};
  try {
    payload = parsePayload(text);
    const event = agent.read(payload);
    const output = event && (await runHook(JSON.stringify(event), { ...options, agent: name }));
    if (!event || !output) return { exitCode: 0 };
    const named = String(event.hook_event_name);
    return agent.write({ event: isHookEvent(named) ? named : null, payload, output, ...told(output) });
  } catch (error) {
    if (options.onFailure === 'allow' || !(error instanceof HookInputError)) throw error;
    return agent.write({ event: null, payload, stop: error.message, warning: null, output: {} });
  }
}

/** An agent that is not Claude Code is never sent `ask`: what is asked there is denied here. */
function told({
  decision,
  reason,
  systemMessage,
  hookSpecificOutput,
}: HookOutput): Pick<Outcome, 'stop' | 'warning'> {
  const permission = hookSpecificOutput?.permissionDecision;
  const denied = permission === 'deny' || permission === 'ask';
  const stop = denied ? hookSpecificOutput?.permissionDecisionReason : reason;
  return {
    stop: denied || decision === 'block' ? (stop ?? 'stopped by policy') : null,
    warning: systemMessage ?? null,
  };
}
