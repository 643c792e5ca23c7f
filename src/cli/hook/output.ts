import { withheld } from '../../adapters/claude-withheld.ts';
import type { EvaluateResult } from '../../schemas/evaluations.ts';
import type { Caller, HookEvent } from './payload.ts';

/**
 * The JSON that Claude Code reads on a hook's standard output: https://code.claude.com/docs/en/hooks ("JSON output", and the
 * decision control of each event). An absent field is no decision: the action goes the way it goes without a hook.
 * Codex rejects an output with a field that it does not know, and then runs the tool.
 */
export interface HookOutput {
  /** PostToolUse, PostToolUseFailure and UserPromptSubmit. */
  decision?: 'block';
  reason?: string;
  /** Shown to the person. */
  systemMessage?: string;
  hookSpecificOutput?: {
    hookEventName: HookEvent;
    /** PreToolUse. `allow` skips the permission prompt. */
    permissionDecision?: 'allow' | 'ask' | 'deny';
    permissionDecisionReason?: string;
    /** Shown to the model. */
    additionalContext?: string;
    /** PostToolUse of Claude Code: what the model sees in place of the result. */
    updatedToolOutput?: unknown;
  };
}

export interface Choices {
  /** The effect of ALLOW and WARN on the permission prompt of a tool: leave it, or skip it. */
  onAllow: 'pass' | 'allow';
  /** Who decides about a held tool: the person at the terminal, nobody, or a reviewer who is waited for. */
  onHold: 'ask' | 'deny' | 'wait';
  /** The answer when there is no decision. */
  onFailure: 'deny' | 'ask' | 'allow';
}

/** The event to respond to. `result` is what a tool returned, where one has run. */
export interface HookTarget {
  event: HookEvent;
  caller: Caller;
  result?: { tool: string; response: unknown } | undefined;
}

export function outputOf(to: HookTarget, response: EvaluateResult, choices: Choices): HookOutput {
  switch (response.enforcementAction) {
    case 'ALLOW':
      return passed(to, choices);
    case 'WARN':
      return warned(to, `Assize warns: ${reasons(response)}`, choices);
    case 'APPROVAL_REQUIRED':
      if (to.event === 'PreToolUse' && choices.onHold === 'ask' && !to.caller.honoursAsk) {
        return stopped(
          to,
          `Assize holds this for approval: ${reasons(response)}. ${reviewerDecides}`,
          'deny',
        );
      }
      return stopped(
        to,
        `Assize holds this for approval: ${reasons(response)}${retry(to, choices)}`,
        choices.onHold,
      );
    default:
      return stopped(to, `Assize blocks this: ${reasons(response)}`, 'deny');
  }
}

/** The person at the terminal is asked at once; a reviewer decides later. */
const retry = ({ event }: HookTarget, { onHold }: Choices): string =>
  event === 'PreToolUse' && onHold !== 'ask'
    ? '. Make the same call again after a reviewer has approved it: it then passes once'
    : '';

const reviewerDecides =
  'This agent, in this permission mode, is not known to ask the person at the terminal: a reviewer must approve it. Make the same call again after that';

/** The output when nothing was decided. `why` is for the person. */
export function failureOutput(to: HookTarget, why: string, { onFailure }: Choices): HookOutput {
  if (to.event === 'SessionEnd') return {};
  if (onFailure === 'allow') return { systemMessage: `Assize could not decide, and lets this pass: ${why}` };
  return stopped(to, `Assize could not decide, so this does not pass: ${why}`, onFailure);
}

function passed({ event, caller }: HookTarget, { onAllow }: Choices): HookOutput {
  if (event !== 'PreToolUse' || onAllow === 'pass' || !caller.claudeCode) return {};
  return {
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: 'allow',
      permissionDecisionReason: 'Assize allows this',
    },
  };
}

function warned(to: HookTarget, message: string, choices: Choices): HookOutput {
  const { hookSpecificOutput } = passed(to, choices);
  return {
    systemMessage: message,
    hookSpecificOutput: { hookEventName: to.event, ...hookSpecificOutput, additionalContext: message },
  };
}

function stopped(to: HookTarget, reason: string, how: 'ask' | 'deny' | 'wait'): HookOutput {
  const { event, caller } = to;
  switch (event) {
    case 'PreToolUse':
      return {
        hookSpecificOutput: {
          hookEventName: event,
          permissionDecision: how === 'ask' && caller.honoursAsk ? 'ask' : 'deny',
          permissionDecisionReason: reason,
        },
      };
    case 'PostToolUse':
      // Claude Code shows the model the result beside the reason, unless the hook replaces it.
      return {
        decision: 'block',
        reason,
        ...(caller.claudeCode &&
          to.result && {
            hookSpecificOutput: {
              hookEventName: event,
              updatedToolOutput: withheld(to.result.tool, to.result.response, 'withheld by Assize'),
            },
          }),
      };
    default:
      // Claude Code shows its model the error of a failed tool in any case: nothing that a hook returns replaces it.
      return { decision: 'block', reason };
  }
}

/** Limits of what is told: a model reads all of it, and an agent may discard an output that is too long. */
const [mostReasons, longestReason] = [5, 1_000] as const;

function reasons({ violations, reviewRequestId, evaluationRunId, approval }: EvaluateResult): string {
  const told = violations
    .slice(0, mostReasons)
    .map(({ message, policyName }) => `${short(message)} (${policyName})`);
  const more = violations.length - told.length;
  const said = approval?.comment ? [`the reviewer says: ${short(approval.comment)}`] : [];
  const where = reviewRequestId === null ? `evaluation ${evaluationRunId}` : `review ${reviewRequestId}`;
  return `${[...said, ...told].join('; ')}${more > 0 ? `; and ${more} more` : ''} [${where}]`;
}

const short = (text: string): string =>
  text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
