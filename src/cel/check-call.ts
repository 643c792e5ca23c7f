import type { CallNode, Node } from './ast.ts';
import { findLocal } from './check-access.ts';
import type { Checking, Scope } from './checking.ts';
import type { Overload, Signature } from './declaration.ts';
import { globalFunctions, memberFunctions } from './functions.ts';
import { macroNames } from './macros.ts';
import { specialMembers } from './operators.ts';
import { compilePattern, type Pattern } from './regex.ts';
import { didYouMean } from './suggest.ts';
import { type CelType, types } from './type.ts';

type Special = keyof typeof specialMembers;

export function checkCall(checking: Checking, node: CallNode, scope: Scope | null): CelType {
  const named = globalName(checking, node, scope);
  if (node.name === 'matches' && (named === null || named === 'matches')) {
    return checkSpecial(checking, node, 'matches', scope);
  }
  if (named !== null)
    return checkFunction(checking, node, named, node.args, globalFunctions.get(named), scope);
  const operands = [node.target as Node, ...node.args];
  if (node.name === 'or' || node.name === 'orValue') return checkSpecial(checking, node, node.name, scope);
  return checkFunction(checking, node, node.name, operands, memberFunctions.get(node.name), scope);
}

/** The name of a function called without a receiver: plain, or in a namespace that no variable hides. */
function globalName(checking: Checking, { target, name }: CallNode, scope: Scope | null): string | null {
  if (target === null) return name;
  if (target.kind !== 'name') return null;
  if (findLocal(target.name, scope) !== null || checking.variables.has(target.name)) return null;
  return NAMESPACES.has(target.name) ? `${target.name}.${name}` : null;
}

const NAMESPACES = new Set(
  [...globalFunctions.keys()].filter((name) => name.includes('.')).map((name) => name.split('.')[0]),
);

function checkFunction(
  checking: Checking,
  node: CallNode,
  name: string,
  operands: readonly Node[],
  overloads: readonly Overload[] | undefined,
  scope: Scope | null,
): CelType {
  const args = operands.map((operand) => checking.visit(operand, scope));
  if (overloads === undefined) return reportUnknown(checking, node, name);
  const resolved = checking.resolve(overloads, args);
  if (resolved === null) return reportMismatch(checking, node, name, args, overloads);
  checking.calls.set(node, { kind: 'function', operands, overloads: resolved.fitting });
  return resolved.result;
}

function checkSpecial(checking: Checking, node: CallNode, kind: Special, scope: Scope | null): CelType {
  const operands = node.target === null ? node.args : [node.target, ...node.args];
  const args = operands.map((operand) => checking.visit(operand, scope));
  const signatures = specialMembers[kind].map((one) => ({
    ...one,
    name: kind,
    member: node.target !== null,
  }));
  const resolved = checking.resolve(signatures, args);
  if (resolved === null) return reportMismatch(checking, node, kind, args, signatures);
  if (kind === 'matches') {
    const pattern = literalPattern(checking, operands[1] as Node);
    checking.calls.set(node, { kind, operands, pattern });
  } else checking.calls.set(node, { kind, operands });
  return resolved.result;
}

/** Only a pattern that is known before running can be checked for its cost. */
function literalPattern(checking: Checking, node: Node): Pattern | null {
  if (node.kind !== 'literal' || typeof node.value !== 'string') {
    const hint = 'write the pattern in place as r"…"; for a plain text use contains, startsWith or endsWith';
    checking.report(
      'regex_not_literal',
      'the pattern of matches is computed, expected a literal',
      node,
      hint,
    );
    return null;
  }
  const compiled = compilePattern(node.value, checking.limits);
  if (compiled.ok) return compiled.pattern;
  const hint = compiled.code === 'regex_invalid' ? undefined : 'repeat less, or split the pattern';
  checking.report(compiled.code, compiled.message, node, hint);
  return null;
}

function reportUnknown(checking: Checking, node: CallNode, name: string): CelType {
  const isMember = node.target !== null && !name.includes('.');
  const known = [...memberFunctions.keys(), ...Object.keys(specialMembers), ...macroNames];
  const own = isMember ? known : [...globalFunctions.keys(), ...macroNames];
  let hint = didYouMean(name, own);
  if (!isMember && memberFunctions.has(name)) hint = `write value.${name}(…)`;
  if (isMember && globalFunctions.has(name)) hint = `write ${name}(value)`;
  if (macroNames.includes(name)) hint = MACRO_HINT;
  return checking.report('unknown_function', `unknown function "${name}"`, node.at, hint);
}

const MACRO_HINT = 'a macro takes names and an expression, as in list.exists(x, x > 1)';

function reportMismatch(
  checking: Checking,
  node: CallNode,
  name: string,
  args: readonly CelType[],
  overloads: readonly (Signature & { member: boolean })[],
): CelType {
  const written = (all: readonly CelType[], member: boolean): string => {
    const names = all.map((type) => checking.name(type));
    return member ? `${names[0]}.${name}(${names.slice(1).join(', ')})` : `${name}(${names.join(', ')})`;
  };
  const member = overloads.some((one) => one.member);
  const forms = overloads.slice(0, MOST_FORMS).map(({ params }) => written(params, member));
  const more = overloads.length > MOST_FORMS ? ' or similar' : '';
  checking.report(
    'type_mismatch',
    `found ${written(args, member)}, expected ${forms.join(' or ')}${more}`,
    node,
  );
  const [first] = overloads;
  return first?.result.kind === 'bool' ? types.bool : types.dyn;
}

const MOST_FORMS = 4;
