import { mostWarnings, type ToolWarning } from './schema.ts';
import type { ToolWarningKind } from './words.ts';

// A model reads the definition of a tool before any call, as if its user had written it. These are the forms in which published attacks
// on MCP clients give it orders there. Somebody who words an order in another way gets past: it is a warning, and no rule.

/** A definition as its server lists it. */
interface Definition {
  name: string;
  title?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
}

const parts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
/** The most characters of one definition: others wait while it is read. */
const mostCharacters = 60_000;
const mostDepth = 50;
const excerptLength = 160;

/** The parts of a definition that look like orders to the model. `others`: the names of tools of other servers, as `foreignNames` gives them. */
export function hiddenInstructions(tool: Definition, others: readonly string[]): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  const add = (part: ToolWarning['part'], kind: ToolWarningKind, text: string, at: number) => {
    if (warnings.length >= mostWarnings || warnings.some((one) => one.part === part && one.kind === kind))
      return;
    const from = Math.max(0, at - 20);
    warnings.push({ part, kind, excerpt: shown(text.slice(from, from + excerptLength)) });
  };
  const names = new Set(others);
  let left = mostCharacters;
  for (const part of parts) {
    // Each text of a schema is a sentence of its own.
    const text = [...textsIn(tool[part], 0)].join('\n. ').slice(0, left);
    left -= text.length;
    const unseen = unseenIn(text);
    if (unseen >= 0) add(part, 'INVISIBLE', text, unseen);
    const plain = plainText(text);
    for (const [kind, pattern] of phrases) {
      const at = plain.search(pattern);
      if (at >= 0) add(part, kind, plain, at);
    }
    const at = names.size === 0 ? -1 : orderAbout(plain, names);
    if (at >= 0) add(part, 'OTHER_TOOL', plain, at);
  }
  return warnings;
}

function* textsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null && depth < mostDepth)
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key;
      yield* textsIn(member, depth + 1);
    }
}

/** Control characters, tags, and characters without width or that turn the direction. */
const unseen =
  /(?!\t|\n|\r|\u200c|\u200d|\p{Script=Arabic}|\p{Script=Syriac})[\p{Cc}\p{Cf}]|[\u{e0100}-\u{e01ef}]|(?<=[\x21-\x7e])(?:\u200c|\u200d)(?=[\x21-\x7e])/u;
/** The flags of England, Scotland and Wales are written with tags. */
const flags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{2,6}\u{e007f}/gu;

const unseenIn = (text: string): number =>
  text.replace(flags, (flag) => ' '.repeat(flag.length)).search(unseen);

/** As a model reads it: without characters that nobody sees, in one case and one line. */
const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(new RegExp(unseen, 'gu'), '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase();

const shown = (text: string): string =>
  text
    .replace(new RegExp(unseen, 'gu'), (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
    .replace(/\s+/g, ' ')
    .trim();

const you =
  '(?:the|your|an?y?|end)?[ -]?(?:end[ -])?(?:users?|humans?|persons?|people|operators?|developers?|customers?|anyone|anybody|them)';
const secretPlace = String.raw`(?:~\/|\/etc\/(?:passwd|shadow)|\.ssh\b|\bid_(?:rsa|ed25519|dsa)\b|\.env\b|\.aws\b|\.npmrc\b|\.netrc\b|\.git-credentials|\bmcp\.json\b|\.cursor\/|\.kube\/|private keys?\b|\bssh keys?\b|\b(?:api|access) (?:keys?|tokens?)\b|\bcredentials\b|\bpasswords?\b|\benvironment variables\b|\bsystem prompts?\b|\b(?:conversation|chat|message) history\b|\b(?:all|every|entire|full|whole|previous|prior) (?:\w+ )?(?:conversation|chat|messages|prompts)\b)`;
const tell = '(?:tell|mention|inform|notify|reveal|disclose|alert|warn|admit|say|report|explain)';
const anyTool = String.raw`(?:this|that|these|any|the|all|every|each|other|another)(?: (?:other|of these|of the))*(?: [\w-]+)? (?:tools?|functions?|commands?)`;
const get =
  '(?:read|open|cat|load|fetch|get|find|retrieve|collect|gather|access|copy|include|append|attach|pass|send|upload|post|paste|put|insert|provide|print|dump|exfiltrate|forward)';

const phrases: readonly (readonly [ToolWarningKind, RegExp])[] = (
  [
    [
      'MARKUP',
      String.raw`<\/?(?:important|system|instructions?|secrets?|hidden|admin|critical|assistant|sys|override|attention|priority|directive)(?: [^<>]{0,80})?>`,
    ],
    [
      'MARKUP',
      String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?inst\]|<<\/?sys>>|(?:^| )#{2,} ?system(?: (?:prompt|message|note))?:|\[(?:system|hidden|admin)(?: (?:note|message|prompt|instructions?))?\]`,
    ],
    // Comments that Outlook reads are code.
    [
      'MARKUP',
      String.raw`<!--(?!\[(?:if|endif)|<!\[)[^>]{0,400}\b(?:you|must|always|never|ignore|tool|assistant|agent|model|instructions?|send|read)\b`,
    ],
    [
      'CONCEALMENT',
      String.raw`\b(?:do not|don't|never|must not|should not|mustn't|shouldn't|avoid|without)(?: ever| also| need to| have to)? ${tell}(?:ing|ning|tioning|ming|fying)?\b(?: (?:this|that|it|about|anything|any of (?:this|it)))*(?: (?:to|about))* ${you}\b`,
    ],
    [
      'CONCEALMENT',
      String.raw`\b(?:do not|don't|never|must not|avoid) (?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)) (?:this|that|it|these|the|any)\b[^.!?]{0,60}\b(?:step|instruction|note|file|parameter|tool call|to ${you})`,
    ],
    [
      'CONCEALMENT',
      String.raw`\b(?:hide|conceal|keep) (?:this|that|it|these|the fact)\b[^.!?]{0,40} (?:from ${you}|secret|hidden|confidential)\b`,
    ],
    [
      'CONCEALMENT',
      String.raw`\b(?:user|human|operator)s? (?:must|should|need|does|do|can|will)(?: not|n't)(?: ever)? (?:know|see|notice|be (?:told|informed|aware|notified)|find out|realize)\b|\b(?:don't|do not|never) let ${you} (?:know|see|notice)\b`,
    ],
    [
      'CONCEALMENT',
      String.raw`\b(?:without|no) (?:the )?${you}(?:'s)? (?:knowledge|knowing|noticing|consent|awareness)\b|\bdo not (?:show|display) (?:this|these) (?:instructions?|steps?|notes?)\b`,
    ],
    [
      'OVERRIDE',
      String.raw`\b(?:ignore|disregard|forget|override|bypass|discard)\b (?:(?:all|any|the|your|every|of|other)\b ?){0,3}(?:previous|prior|earlier|above|preceding|existing|original|system|safety|other|your)(?: \w+){0,2} (?:instructions?|prompts?|rules?|guidelines?|directives?|policy|policies|constraints?|restrictions?)\b`,
    ],
    [
      'OVERRIDE',
      String.raw`\byou are (?:now|no longer) (?:an?|in|the|bound|restricted|developer|dan)\b|\b(?:new|updated|real|actual|true) (?:system )?instructions?(?: for (?:the )?(?:assistant|agent|model|ai))?:`,
    ],
    [
      'PRECONDITION',
      String.raw`\b(?:before|prior to|after|when(?:ever)?|each time you|every time you)(?: you)? (?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing)) ${anyTool}\b[^!?]{0,160}\b${get}\b[^!?]{0,80}${secretPlace}`,
    ],
    [
      'PRECONDITION',
      String.raw`\b(?:before|prior to)(?: you)? (?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing)) (?:any|all|every|other|any of the)(?: other)?(?: [\w-]+)? (?:tools?|functions?|commands?)\b[^.!?]{0,60}\b(?:must|always|first|need to|have to|should|call|run|use|read)\b`,
    ],
    [
      'PRECONDITION',
      String.raw`\bbefore (?:using|calling|invoking|running|executing) this (?:tool|function|command)\b[^.!?]{0,40}\b(?:read|open|cat|load|send|upload|copy|execute)\b(?! (?:the )?(?:docs?|documentation|schema|description|readme|guide|resource))[^.!?]{0,80}(?:\/|~|\bfiles?\b|\bcontents?\b)`,
    ],
    [
      'SECRETS',
      String.raw`\b${get}\b[^.!?]{0,30}\b(?:contents? of|from|file|value of|your|the user's|the full|the entire|all)\b[^!?]{0,40}${secretPlace}[^!?]{0,100}\b(?:as|in|into|to|with) (?:the |this |a |an )?['"\x60\w]+ ?(?:parameter|argument|field|param|input|address|url|server|endpoint|webhook)\b`,
    ],
    [
      'SECRETS',
      String.raw`\b(?:read|open|cat|load|exfiltrate|steal|upload|send|copy)\b [^.!?]{0,30}(?:~\/\.(?:ssh|aws|cursor|config|env|netrc|npmrc|kube)|\/etc\/(?:passwd|shadow)|\bid_rsa\b|\.ssh\/)`,
    ],
  ] as const
).map(([kind, source]) => [kind, new RegExp(source)] as const);

/** Names that say something of their own: a description may hold the word `search`. */
const distinctive = /^(?=.{6,})(?:.*[_\-./].*|.*[a-z][A-Z].*)$/;

/** The names of tools of other servers, as servers and their descriptions write them, and none that this server has as well. */
export function foreignNames(others: Iterable<string>, own: Iterable<string>): readonly string[] {
  const written = (name: string): string => name.split('__').at(-1) ?? '';
  const distinct = [...others].map(written).filter((name) => distinctive.test(name));
  const names = new Set(distinct.map((name) => name.toLowerCase()));
  for (const name of own) names.delete(written(name).toLowerCase());
  return [...names];
}

/** Words about calls of a tool, before or behind its name. */
const about =
  /\b(?:(?:when(?:ever)?|each time|every time|before|after)\b[^.]{0,60}|if (?:you (?:use|call|run|have) |the )?|(?:instead of|in place of|do not|don't|never|stop|avoid|replaces)\b[^.]{0,40})$/;
const said =
  /^[^.]{0,40}\b(?:must|always|never|(?:is|are|was) (?:now )?(?:deprecated|disabled|insecure|broken|unsafe|obsolete))\b/;
const order =
  /\b(?:must|always|never|instead|redirect|replace|override|change|modify|set|bcc|append|include|add|send|use|call|pass|deprecated|disabled|insecure|broken|unsafe|obsolete)\b/;

/** The index of a sentence that gives an order about a tool of another server; -1 if there is none. */
function orderAbout(text: string, names: ReadonlySet<string>): number {
  for (const { 0: word, index } of text.matchAll(/[a-z0-9_./-]{6,256}/g)) {
    const name = word.replace(/[./-]+$/, '');
    if (!names.has(name)) continue;
    const before =
      text
        .slice(Math.max(0, index - 160), index)
        .split('. ')
        .at(-1) ?? '';
    const after = text.slice(index + name.length, index + name.length + 240).split('. ')[0] ?? '';
    if (said.test(after) || (about.test(before) && (order.test(before) || order.test(after)))) return index;
  }
  return -1;
}
