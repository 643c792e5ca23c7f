/** Small policy documents for tests: each says one thing. */
export const blockAfter = (calls: number, tool = 'web.search'): string => `
schemaVersion: 1
name: block-after
rules:
  - id: budget
    when: tool == "${tool}" && session.toolCounts[?tool].orValue(0) >= ${calls}
    effect: BLOCK
    severity: HIGH
    reason: budget_spent
    message: "{{tool}} was called {{session.toolCounts[?tool].orValue(0)}} times"
`;

export const rule = (when: string, effect: string, more = ''): string => `
schemaVersion: 1
name: one-rule
${more}
rules:
  - id: the-rule
    when: '${when}'
    effect: ${effect}
    severity: HIGH
`;
