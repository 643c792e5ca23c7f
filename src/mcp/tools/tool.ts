import type { Static, TObject } from '@sinclair/typebox';
import type { Services } from '../../services/services.ts';

export type ToolServices = Pick<Services, 'evaluations' | 'sessions' | 'reviews'>;
type Integration = Parameters<Services['evaluations']['evaluate']>[0];

/** One call of a tool: who calls, and what it belongs to. */
export interface ToolCall {
  integration: Integration;
  /** JSON text of the arguments, as it was sent. */
  argumentsText: string;
  /** The session that `_meta` or the connection names. */
  sessionId: string | null;
  /** The session to join when nothing names one. */
  sessionName: string;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Tells a client that asked for it how far the call is. */
  progress(progress: number, total: number, message: string): Promise<void>;
}

export interface ToolAnswer {
  /** For the model: what came out, and what to do now. It leads all that a client shows. */
  text: string;
  /** JSON text of an object that fits the tool's output schema, as REST answers it. */
  json: string;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  readOnly: boolean;
  input: TObject;
  output: TObject;
  /** `input` was checked against the schema. Throws an AppError for what the services refuse. */
  run(input: never, call: ToolCall, services: ToolServices): Promise<ToolAnswer>;
}

export const defineTool = <Input extends TObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(input: Static<Input>, call: ToolCall, services: ToolServices): Promise<ToolAnswer>;
  },
): Tool => tool;
