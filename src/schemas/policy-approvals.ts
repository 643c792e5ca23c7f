import { Type } from '@sinclair/typebox';
import { GroupName } from '../features/operators/schema.ts';

const Duration = (description: string) =>
  Type.String({ pattern: '^[1-9][0-9]{0,8}[smhd]$', maxLength: 10, description });

/** What one approval lets later actions of the session do. */
const PolicyGrant = Type.Object(
  {
    same: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(tool|targetKey|destinations|identifiers|(?:input|arguments)(\\.[^.]+)*)$',
          maxLength: 200,
        }),
        {
          minItems: 1,
          maxItems: 20,
          description:
            'what a later action must have in common with the approved one: tool, targetKey, destinations, identifiers, arguments, arguments.to, input, input.to; default: everything',
        },
      ),
    ),
    for: Type.Optional(Duration('how long after the approval, from 60s to 7d')),
    uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'how many later actions' })),
  },
  {
    additionalProperties: false,
    anyOf: [{ required: ['for'] }, { required: ['uses'] }],
    description:
      'what one approval lets later actions of the session do, by this rule; needs for, uses or both',
  },
);

export const PolicyApproval = Type.Object(
  {
    quorum: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'operators who must approve; default: 1' }),
    ),
    from: Type.Optional(
      Type.Array(Type.Unsafe<string>({ ...GroupName, maxLength: 64 }), {
        minItems: 1,
        maxItems: 20,
        description: 'groups they must belong to; default: every operator who may decide',
      }),
    ),
    notRequester: Type.Optional(
      Type.Boolean({
        description:
          'bars operators who created a key of the integration, or who are the entity of the session, from approving; default: false',
      }),
    ),
    expiresIn: Type.Optional(
      Duration('how long the review waits, from 60s to 7d; default: as the policy says'),
    ),
    grant: Type.Optional(PolicyGrant),
  },
  {
    additionalProperties: false,
    description: 'requirements for approval; only with APPROVAL_REQUIRED',
  },
);
