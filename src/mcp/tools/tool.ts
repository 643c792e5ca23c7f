import type { Static, TObject } from '@sinclair/typebox';
import type { TraceParent } from '../../evaluate/evaluate.ts';
import type { KeyScope } from '../../features/integrations/words.ts';
import type { IntegrationCaller } from '../../services/access/authentication.ts';
import type { Services } from '../../services/services.ts';

export type ToolServices = Pick<Services, 'evaluations' | 'sessions' | 'reviews'>;

/** One tool call: its caller and its session. */
export interface ToolCall {
  caller: IntegrationCaller;
  /** JSON text of the arguments, as sent. */
  argumentsText: string;
  /** The span of the caller. */
  trace: TraceParent | null;
  /** JSON Web Token of who acts; null when none was sent. */
  identityToken: string | null;
  /** The session named in `_meta` or by the connection. */
  sessionId: string | null;
  /** The name of the session to join when nothing names one. */
  sessionName: string;
  /** Aborted when the client no longer waits. */
  signal: AbortSignal;
  /** Reports progress to a client that asked for it. */
  progress(progress: number, total: number, message: string): Promise<void>;
}

export interface ToolResponse {
  /** For the model: the outcome, and what to do next. Comes first in everything that a client shows. */
  text: string;
  /** JSON text of an object of the tool's output schema, as in the REST response. */
  json: string;
  /** Whether `json` alone says what to do, so that the sentence need not be in it. Default false. */
  isObvious?: boolean;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  readOnly: boolean;
  /** The scope that the key of a call needs. */
  scope: KeyScope;
  input: TObject;
  output: TObject;
  /** `input` has been validated against the schema. Throws an AppError when a service refuses the request. */
  run(input: never, call: ToolCall, services: ToolServices): Promise<ToolResponse>;
}

export const defineTool = <Input extends TObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(input: Static<Input>, call: ToolCall, services: ToolServices): Promise<ToolResponse>;
  },
): Tool => tool;
