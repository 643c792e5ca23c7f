import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

type Entry = readonly [label: string, detail: string];

const fields: readonly Entry[] = [
  ['schemaVersion', '1'],
  ['name', 'lower-case letters, digits, -'],
  ['description', 'for readers'],
  ['mode', 'ENFORCE or MONITOR'],
  ['onError', 'what a rule that fails does: BLOCK'],
  ['params', 'values that rules read as params.x'],
  ['variables', 'expressions that rules read as vars.x'],
  ['severityFloors', 'by severity: an effect'],
  ['detectors', 'data tags of your own'],
  ['tools', 'the JSON Schema of each tool’s input'],
  ['reviewExpirySeconds', '60 to 604800'],
  ['rules', 'the conditions and what they do'],
  ['tests', 'decisions that the policy promises'],
  ['id', 'of the rule'],
  ['tool', 'the rule applies to these tools'],
  ['on', '[ACTION, PROMPT, RESULT]'],
  ['when', 'CEL: true when the rule matches'],
  ['effect', 'ALLOW, WARN, APPROVAL_REQUIRED, BLOCK'],
  ['escalate', '1 to 3 steps of severity'],
  ['severity', 'LOW, MEDIUM, HIGH, CRITICAL'],
  ['reason', 'a word for machines'],
  ['message', 'text with {{CEL}} in it'],
  ['given', 'what a test evaluates'],
  ['expect', 'what must be decided'],
];

const values: readonly Entry[] = [
  ['ENFORCE', 'mode'],
  ['MONITOR', 'mode'],
  ...['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'].map((name): Entry => [name, 'effect']),
  ...['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'].map((name): Entry => [name, 'severity']),
  ...['ACTION', 'PROMPT', 'RESULT'].map((name): Entry => [name, 'phase']),
  ...['PII', 'FINANCIAL', 'PHI', 'CREDENTIALS'].map((name): Entry => [name, 'data tag']),
];

const variables: readonly Entry[] = [
  ['tool', 'text'],
  ['phase', 'ACTION, PROMPT or RESULT'],
  ['input', 'what was sent'],
  ['targetKey', 'text'],
  ['dataTags', 'list of texts'],
  ['detections', 'list of type and count'],
  ['integration', 'id, name, kind'],
  ['session', 'what happened before'],
  ['now', 'timestamp'],
  ['result', 'status'],
  ['params', 'of this policy'],
  ['vars', 'variables of this policy'],
];

const members: Readonly<Record<string, readonly Entry[]>> = {
  session: [
    ['actionCount', 'number'],
    ['dataTags', 'list of texts'],
    ['toolsUsed', 'list of texts'],
    ['toolCounts', 'number by tool'],
    ['attemptCounts', 'number by tool'],
    ['warningCount', 'number'],
    ['blockCount', 'number'],
    ['reviewCount', 'number'],
    ['repeats', 'number'],
    ['startedAt', 'timestamp'],
    ['metadata', 'as it was given'],
    ['entityId', 'text or null'],
    ['recentActions', 'the last 50, newest first'],
  ],
  integration: [
    ['id', 'text'],
    ['name', 'text'],
    ['kind', 'REST_API, MCP_SERVER or AGENT'],
  ],
  result: [['status', 'OK or FAILED']],
};

const functions: readonly Entry[] = [
  ['exists', 'list.exists(x, condition)'],
  ['all', 'list.all(x, condition)'],
  ['filter', 'list.filter(x, condition)'],
  ['map', 'list.map(x, value)'],
  ['size', 'list.size()'],
  ['startsWith', "text.startsWith('x')"],
  ['endsWith', "text.endsWith('x')"],
  ['contains', "text.contains('x')"],
  ['matches', "text.matches('RE2')"],
  ['lowerAscii', 'text.lowerAscii()'],
  ['orValue', 'map[?key].orValue(0)'],
];

const complete = (entries: readonly Entry[], type: string): Completion[] =>
  entries.map(([label, detail]) => ({ label, detail, type }));

/** Names of the document and of CEL. What follows a dot are the members of what is before it, and functions. */
export function completePolicy(context: CompletionContext): CompletionResult | null {
  const member = context.matchBefore(/(\w+)\.(\w*)$/);
  if (member) {
    const [owner = ''] = member.text.split('.');
    const options = [...complete(members[owner] ?? [], 'property'), ...complete(functions, 'function')];
    return { from: member.from + owner.length + 1, options, validFor: /^\w*$/ };
  }
  const word = context.matchBefore(/\w+$/);
  if (!word && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  const line = context.state.doc.lineAt(context.pos);
  const isKey = /^\s*(?:- )?\w*$/.test(line.text.slice(0, context.pos - line.from));
  const options = isKey
    ? complete(fields, 'property')
    : [...complete(values, 'enum'), ...complete(variables, 'variable')];
  return { from, options, validFor: /^\w*$/ };
}
