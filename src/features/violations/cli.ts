import type { Command } from 'commander';
import { textOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun, integrationField } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { severities } from '../../schemas/words.ts';
import type { RecordedViolation, RuleViolations } from './schema.ts';
import { dismissalReasons, resolutionTypes, violationStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

const columns: Column<RecordedViolation>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'POLICY', of: ({ policyName }) => policyName },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'AT', of: ({ createdAt }) => createdAt },
  { title: 'MESSAGE', of: ({ message }) => message },
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
];
const fields: Column<RecordedViolation>[] = [
  ...columns,
  { title: 'EVALUATION', of: ({ evaluationRunId }) => evaluationRunId },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'ENTITY', of: ({ entityId }) => entityId },
  { title: 'BECAUSE', of: ({ resolution, dismissal }) => resolution ?? dismissal },
  { title: 'NOTE', of: ({ note }) => note },
  { title: 'BY', of: ({ triagedBy }) => triagedBy?.name },
  { title: 'HANDLED', of: ({ triagedAt }) => triagedAt },
];
const ruleColumns: Column<RuleViolations>[] = [
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'ACKNOWLEDGED', of: ({ acknowledgedCount }) => acknowledgedCount },
  { title: 'RESOLVED', of: ({ resolvedCount }) => resolvedCount },
  { title: 'DISMISSED', of: ({ dismissedCount }) => dismissedCount },
  { title: 'FALSE POSITIVES', of: ({ falsePositiveCount }) => falsePositiveCount },
  { title: 'RATE', of: ({ falsePositiveRate }) => falsePositiveRate },
];

const names = { integrationId: 'integrations' } as const;

const note = textOption('--note <text>', 'a note');
const during = [
  textOption('--from <time>', 'from when on, as 2030-01-31T12:00:00Z'),
  textOption('--to <time>', 'before when'),
];

export const addViolations = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'violations',
    alias: 'violation',
    summary: 'what rules reported, and what was done about it',
    description:
      'Violations are what rules reported. Each is NEW until somebody acknowledges, resolves or dismisses it.',
    examples: ['assize violations list --status NEW --severity HIGH'],
    commands: [
      {
        name: 'list',
        summary: 'list violations, newest first',
        examples: ['assize violations list --status NEW --integration demo'],
        options: [
          wordOption('--status <status>', 'only these', violationStatuses),
          wordOption('--severity <severity>', 'only those of a severity', severities),
          textOption('--rule <id>', 'only those of a rule'),
          textOption('--policy <policy>', 'only those of a policy'),
          textOption('--integration <integration>', 'only those of an integration'),
          textOption('--session <id>', 'only those of a session'),
          textOption('--entity <id>', 'only those of an entity'),
          ...during,
        ],
        request: 'GET /v1/violations',
        fields: {
          policy: { field: 'policyId', noun: 'policies' },
          integration: integrationField,
          session: 'sessionId',
          entity: 'entityId',
        },
        columns,
        names,
        none: 'There are no such violations.',
      },
      {
        name: 'rules',
        summary: 'show how often each rule was right',
        examples: ['assize violations rules'],
        options: during,
        request: 'GET /v1/violations/rules',
        columns: ruleColumns,
        names: { policyId: 'policies' },
        none: 'No violation was handled yet.',
        paged: false,
      },
      {
        name: 'show <id>',
        summary: 'show a violation',
        examples: [`assize violations show ${someId}`],
        request: 'GET /v1/violations/{id}',
        columns: fields,
        names,
      },
      {
        name: 'acknowledge <id>',
        summary: 'say that you look into it',
        examples: [`assize violations acknowledge ${someId} --note "asked the team"`],
        options: [note],
        request: 'POST /v1/violations/{id}/acknowledge',
        columns: fields,
        names,
      },
      {
        name: 'resolve <id>',
        summary: 'say what was done about it',
        examples: [`assize violations resolve ${someId} --type AGENT_CHANGED`],
        options: [wordOption('--type <type>', 'what was done', resolutionTypes).makeOptionMandatory(), note],
        request: 'POST /v1/violations/{id}/resolve',
        columns: fields,
        names,
      },
      {
        name: 'dismiss <id>',
        summary: 'say why it is none; false positives count against the rule',
        examples: [`assize violations dismiss ${someId} --reason FALSE_POSITIVE`],
        options: [wordOption('--reason <reason>', 'why', dismissalReasons).makeOptionMandatory(), note],
        request: 'POST /v1/violations/{id}/dismiss',
        columns: fields,
        names,
      },
    ],
  });
