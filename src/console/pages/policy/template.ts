/** What a new policy starts with: valid, tested, and with a line for each part that most policies need. */
export const template = `schemaVersion: 1
name: new-policy
description: What this policy is for
mode: ENFORCE

rules:
  - id: no-shell
    name: No shell
    when: tool == "shell"
    effect: BLOCK
    severity: HIGH
    message: "{{tool}} is not for agents"

tests:
  - name: a shell is blocked
    given: { tool: shell }
    expect: { enforcementAction: BLOCK, rules: [no-shell] }
  - name: a search is allowed
    given: { tool: web.search }
    expect: { enforcementAction: ALLOW }
`;
