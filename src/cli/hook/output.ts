import type { EvaluateAnswer } from '../../schemas/evaluations.ts';
import type { HookEvent } from './payload.ts';

/**
 * What Claude Code reads on a hook's standard output: https://code.claude.com/docs/en/hooks ("JSON output", and the
 * decision control of each event). An absent field is no decision: the action goes the way it goes without a hook.
 */
export interface HookOutput {
  /** PostToolUse and UserPromptSubmit. */
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
  };
}

export interface Choices {
  /** What ALLOW and WARN do to the permission prompt of a tool: leave it, or skip it. */
  onAllow: 'pass' | 'allow';
  /** Who decides about a held tool: the person at the terminal, nobody, or a reviewer who is waited for. */
  onHold: 'ask' | 'deny' | 'wait';
  /** What happens when there is no decision. */
  onFailure: 'deny' | 'ask' | 'allow';
}

export function outputOf(event: HookEvent, answer: EvaluateAnswer, choices: Choices): HookOutput {
  switch (answer.enforcementAction) {
    case 'ALLOW':
      return passed(event, choices);
    case 'WARN':
      return warned(event, `Assize warns: ${reasons(answer)}`, choices);
    case 'APPROVAL_REQUIRED':
      return stopped(event, `Assize holds this for approval: ${reasons(answer)}`, choices.onHold);
    default:
      return stopped(event, `Assize blocks this: ${reasons(answer)}`, 'deny');
  }
}

/** The output when nothing was decided. `why` is for the person. */
export function failureOutput(event: HookEvent, why: string, { onFailure }: Choices): HookOutput {
  if (event === 'SessionEnd') return {};
  if (onFailure === 'allow') return { systemMessage: `Assize could not decide, and lets this pass: ${why}` };
  return stopped(event, `Assize could not decide, so this does not pass: ${why}`, onFailure);
}

function passed(event: HookEvent, { onAllow }: Choices): HookOutput {
  if (event !== 'PreToolUse' || onAllow === 'pass') return {};
  return {
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: 'allow',
      permissionDecisionReason: 'Assize allows this',
    },
  };
}

function warned(event: HookEvent, message: string, choices: Choices): HookOutput {
  const { hookSpecificOutput } = passed(event, choices);
  return {
    systemMessage: message,
    hookSpecificOutput: { hookEventName: event, ...hookSpecificOutput, additionalContext: message },
  };
}

/** Only a tool that is about to run can be asked about. */
function stopped(event: HookEvent, reason: string, how: 'ask' | 'deny' | 'wait'): HookOutput {
  if (event !== 'PreToolUse') return { decision: 'block', reason };
  return {
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: how === 'ask' ? 'ask' : 'deny',
      permissionDecisionReason: reason,
    },
  };
}

/** Findings told at most: a model reads all of what it is told. */
const mostReasons = 5;

function reasons({ violations, reviewRequestId, evaluationRunId }: EvaluateAnswer): string {
  const told = violations
    .slice(0, mostReasons)
    .map(({ message, policyName }) => `${message} (${policyName})`);
  const more = violations.length - told.length;
  const where = reviewRequestId === null ? `evaluation ${evaluationRunId}` : `review ${reviewRequestId}`;
  return `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''} [${where}]`;
}
