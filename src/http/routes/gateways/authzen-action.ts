import type { AccessEvaluation } from '../../../schemas/gateways/authzen.ts';

/** What policies see: `tool`, `arguments`, and the other members as they were sent. Not what says how to decide it. */
export function actionOf({ subject, action, resource, context = {} }: AccessEvaluation) {
  const { externalSessionId: _session, reviewRequestId: _review, approval: _approval, ...more } = context;
  return {
    input: { tool: action.name, arguments: action.properties ?? {}, subject, resource, context: more },
    targetKey: `${resource.type}/${resource.id}`.slice(0, 1_000),
  };
}
