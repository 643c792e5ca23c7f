import { Type } from '@sinclair/typebox';
import { AppError } from '../../errors.ts';
import {
  CreatedEvaluationSession,
  CreateEvaluationSession,
  EndEvaluationSession,
  EndedEvaluationSession,
  EvaluationSession,
} from '../../features/sessions/schema.ts';
import { checkJson, metadataJson } from '../../http/json-checks.ts';
import { memberText } from '../../json/member-text.ts';
import { Uuid } from '../../schemas/values.ts';
import { defineTool, type ToolCall, type ToolServices } from './tool.ts';

const sessionId = Type.Optional(Type.String({ ...Uuid, description: 'default: the session of this client' }));

export const startSession = defineTool({
  name: 'start_session',
  title: 'Open a session',
  description:
    'Opens a separate evaluation session for one task. Pass its id as sessionId to every evaluate of the task. Without it, evaluations share the session of this client.',
  readOnly: false,
  scope: 'sessions:open',
  input: CreateEvaluationSession,
  output: CreatedEvaluationSession,
  async run(request, call, { sessions }) {
    checkJson(request.metadata, '/metadata', metadataJson);
    const metadata = request.metadata === undefined ? null : memberText(call.argumentsText, 'metadata');
    const { data, text: json } = await sessions.create(call.caller.integration, request, metadata, null, {
      identityToken: call.identityToken,
    });
    return {
      text: `The session is open until ${data.expiresAt}. Pass ${JSON.stringify({ sessionId: data.id })} to every evaluate of this task, and end it with end_session.`,
      json,
    };
  },
});

export const endSession = defineTool({
  name: 'end_session',
  title: 'End a session',
  description:
    'Ends a session: COMPLETED (default) for a normal end, TERMINATED for an early one. No evaluation can be added after it.',
  readOnly: false,
  scope: 'sessions:end',
  input: Type.Object({ sessionId, ...EndEvaluationSession.properties }, { additionalProperties: false }),
  output: EndedEvaluationSession,
  async run(input, call, services) {
    const id = await sessionOf(input.sessionId, call, services);
    const status = input.status ?? 'COMPLETED';
    const { data, text: json } = await services.sessions.end(call.caller.integration.id, id, status, null);
    return { text: `The session is ${status} with ${counted(data.actionCount)}.`, json };
  },
});

export const getSession = defineTool({
  name: 'get_session',
  title: 'Read a session',
  description: 'The state of a session: counts, tools used, data tags and the most recent actions.',
  readOnly: true,
  scope: 'read',
  input: Type.Object({ sessionId }, { additionalProperties: false }),
  output: EvaluationSession,
  async run(input, call, services) {
    const id = await sessionOf(input.sessionId, call, services);
    const { data, text: json } = await services.sessions.read(call.caller.integration.id, id);
    return {
      text: `The session is ${data.status} with ${counted(data.actionCount)}: ${data.warningCount} warned about, ${data.reviewCount} held for approval (${data.rejectionCount} rejected), ${data.blockCount} blocked.`,
      json,
    };
  },
});

async function sessionOf(
  named: string | undefined,
  { caller: { integration }, sessionId, sessionName }: ToolCall,
  { sessions }: ToolServices,
): Promise<string> {
  const id = named ?? sessionId ?? (await sessions.findNamed(integration.id, sessionName));
  if (id !== null) return id;
  throw new AppError('not_found', 'this client has no session yet: the first evaluate opens one');
}

const counted = (actions: number): string => `${actions} ${actions === 1 ? 'action' : 'actions'}`;
