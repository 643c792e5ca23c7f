import type { Gate, GateResult, GateSession } from '../client/index.ts';
import { createStartedCalls } from './started-calls.ts';

// The used part of `@openai/agents`.
type RunContext<C> = { context: C };
type Call<C> = { context: RunContext<C>; toolCall: { callId: string; name: string; arguments: string } };
type FunctionTool = {
  name: string;
  inputGuardrails?: object[];
  outputGuardrails?: object[];
  needsApproval(context: unknown, input: unknown, callId?: string): Promise<boolean>;
  // biome-ignore lint/suspicious/noExplicitAny: the context and the agent are of the program's own types
  isEnabled(context: any, agent: any): Promise<boolean>;
};

export interface OpenAiAgentsOptions<Context> {
  /** The session of a run, from the context that the program gives it; default: the session of the gate. */
  session?(context: Context): GateSession;
  /**
   * The fate of a held call: `reject` tells the model that it waits; `interrupt` pauses the run (`result.interruptions`).
   * Default `reject`. A paused call is evaluated again when it goes on: approving it in the run's state does not approve it here.
   */
  onHold?: 'reject' | 'interrupt';
  /** The tools that a model is offered: all, or those that policies do not block whatever their arguments are. Default `all`. */
  offer?: 'all' | 'allowed';
}

/** The same tools: each call is evaluated before it runs, and its result before the model sees it. */
export function protectTools<Tool extends FunctionTool, Context = unknown>(
  gate: Gate,
  tools: readonly Tool[],
  { session = () => ({}), onHold = 'reject', offer = 'all' }: OpenAiAgentsOptions<Context> = {},
): Tool[] {
  const started = createStartedCalls<{ result: GateResult; call: string }>();
  const decide = async ({ context }: RunContext<Context>, tool: string, input: unknown) => ({
    result: await gate({ tool, input, ...session(context) }),
    call: JSON.stringify([tool, input]),
  });

  async function before({ context, toolCall: { callId, name, arguments: text } }: Call<Context>) {
    const input = parsed(text);
    const asked = started.take(context, callId);
    const decided =
      asked?.call === JSON.stringify([name, input]) ? asked : await decide(context, name, input);
    if (decided.result.action === 'proceed') started.put(context, callId, decided);
    return verdict(decided.result);
  }

  async function after({ context, toolCall, output }: Call<Context> & { output: unknown }) {
    const resultOf = started.take(context, toolCall.callId)?.result.evaluation?.evaluationRunId;
    const result = { phase: 'RESULT', input: output, ...(resultOf !== undefined && { resultOf }) } as const;
    return verdict(await gate({ ...result, ...session(context.context) }));
  }

  const needsApproval =
    (tool: Tool) =>
    async (context: RunContext<Context>, input: unknown, id = '') => {
      if (await tool.needsApproval(context, input, id)) return true;
      const decided = await decide(context, tool.name, input);
      if (decided.result.action !== 'hold') started.put(context, id, decided);
      return decided.result.action === 'hold';
    };

  /** Asked once for all tools of a turn, which the SDK asks about one by one. */
  let asked: { context: unknown; blocked: Promise<ReadonlySet<string>> } | null = null;
  const isOffered = async (context: RunContext<Context>, name: string): Promise<boolean> => {
    if (asked?.context !== context) {
      const of = session(context.context);
      const mine = {
        context,
        blocked: gate.blockedTools(
          tools.map((tool) => tool.name),
          of,
        ),
      };
      asked = mine;
      void mine.blocked.then(() => {
        if (asked === mine) asked = null;
      });
    }
    return !(await asked.blocked).has(name);
  };

  return tools.map((tool) => ({
    ...tool,
    ...(offer === 'allowed' && {
      isEnabled: async (context: RunContext<Context>, agent: unknown) =>
        (await tool.isEnabled(context, agent)) && (await isOffered(context, tool.name)),
    }),
    // The last to see a call, so that what runs is what was evaluated, and the first to see its result.
    inputGuardrails: [...(tool.inputGuardrails ?? []), { type: 'tool_input', name: 'assize', run: before }],
    outputGuardrails: [{ type: 'tool_output', name: 'assize', run: after }, ...(tool.outputGuardrails ?? [])],
    ...(onHold === 'interrupt' && { needsApproval: needsApproval(tool) }),
  }));
}

const allowed = { behavior: { type: 'allow' } } as const;
const verdict = ({ action, message }: GateResult) =>
  action === 'proceed' ? allowed : { behavior: { type: 'rejectContent', message } as const };

/** The arguments that the model wrote. What is no JSON is shown to policies as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
