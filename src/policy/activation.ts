import { CelError, type Timestamp, timestampFromEpochMs, Unknown } from '../cel/index.ts';
import { otherTools } from '../features/sessions/words.ts';
import type { ToolEffect } from '../features/tools/words.ts';
import { parseJson } from '../json/parse.ts';
import type { VerifiedIdentity } from '../schemas/identities.ts';
import type { OpenGrant } from '../schemas/review-terms.ts';
import type { SessionAction } from '../schemas/session-context.ts';
import type { Cost } from '../schemas/values.ts';
import { CallArguments } from './call-arguments.ts';
import type { CounterReadings } from './counters/read-counters.ts';
import { type McpName, mcpNameOf, statedIn } from './mcp-names.ts';
import type { Subject } from './subject.ts';

const results = { '': { status: '' }, OK: { status: 'OK' }, FAILED: { status: 'FAILED' } } as const;

const none: readonly string[] = [];
const nobody = viewed({ issuer: '', subject: '', actors: [], scopes: [], claims: {} });
const noArguments = Object.freeze({});
const noCall = Object.freeze({ arguments: noArguments });
const NOT_READ = new CelError('host_failure', 'call.arguments: the arguments of the action are not known');

/**
 * Everything that the programs of one evaluation read: the subject, and the params, lists, variables and counters of the policy
 * that is running.
 */
export class Activation {
  readonly input: Subject['input'];
  readonly targetKey: Subject['targetKey'];
  readonly tool: string;
  readonly toolEffect: ToolEffect | '' | Unknown;
  readonly toolUntrusted: boolean | Unknown;
  readonly toolDirectory: boolean | Unknown;
  readonly toolDescribed: boolean | Unknown;
  readonly destinations: readonly string[] | CelError;
  readonly identifiers: readonly string[] | CelError;
  readonly phase: Subject['phase'];
  readonly result: { readonly status: Subject['resultStatus'] };
  readonly cost: Cost;
  readonly identity: IdentityView;
  readonly dataTags: Subject['dataTags'];
  readonly detections: Subject['detections'];
  readonly integration: Subject['integration'];
  readonly now: Timestamp | undefined;
  readonly session: SessionView;
  readonly tree: TreeView;
  params: object = {};
  lists: object = {};
  vars: object = {};
  counters: object = {};
  /** Once it is known. */
  decision: object = {};
  /** The source of `counters`; no expression reads it. */
  readonly readings: CounterReadings;
  #call: CallArguments | undefined;
  readonly #actionArguments: Subject['actionArguments'];
  readonly #names: readonly string[] | Unknown;

  constructor(subject: Subject) {
    this.input = subject.input;
    const { catalogued } = subject;
    this.targetKey = subject.targetKey;
    this.tool = subject.tool;
    this.toolEffect = catalogued?.effect ?? '';
    this.toolUntrusted = catalogued?.untrustedResults ?? false;
    this.toolDirectory = catalogued?.directory ?? false;
    this.toolDescribed = catalogued?.described ?? false;
    this.phase = subject.phase;
    this.#names = catalogued?.names ?? none;
    this.#call = subject.call;
    this.#actionArguments = subject.actionArguments;
    this.destinations = this.#inArguments(catalogued, 'destinations');
    this.identifiers = this.#inArguments(catalogued, 'identifiers');
    this.result = results[subject.resultStatus];
    this.cost = subject.cost ?? {};
    this.identity = subject.identity ? viewed(subject.identity) : nobody;
    this.dataTags = subject.dataTags;
    this.detections = subject.detections;
    this.integration = subject.integration;
    this.now = moment(subject.now);
    this.session = new SessionView(subject);
    this.tree = new TreeView(subject, this.session);
    this.readings = subject.counters;
  }

  /** The server and the tool that the name of an MCP tool says. */
  get mcp(): McpName | CelError {
    return mcpNameOf(this.tool, this.#names, statedIn(this.input));
  }

  /** Only a call has arguments. */
  get arguments(): object {
    if (this.phase !== 'ACTION') return noArguments;
    this.#call ??= new CallArguments(this.input);
    return this.#call.value;
  }

  /** The action of a RESULT. */
  get call(): { readonly arguments: object } | CelError {
    if (this.phase !== 'RESULT') return noCall;
    const read = this.#actionArguments ?? NOT_READ;
    return read instanceof CelError ? read : { arguments: read };
  }

  /** Destinations and identifiers are null exactly when the arguments cannot be read: then they are the same error. */
  #inArguments(
    catalogued: Subject['catalogued'],
    field: 'destinations' | 'identifiers',
  ): readonly string[] | CelError {
    if (catalogued === null) return none;
    return catalogued[field] ?? (this.arguments as CelError);
  }
}

/** Empty texts and lists where nobody is proven. */
interface IdentityView extends Pick<VerifiedIdentity, 'issuer' | 'subject' | 'actors' | 'scopes' | 'claims'> {
  /** Who sends the token for the subject; `''` when the subject itself does. */
  readonly actor: string;
}

function viewed({ issuer, subject, actors, scopes, claims }: Omit<IdentityView, 'actor'>): IdentityView {
  return { issuer, subject, actor: actors[0] ?? '', actors, scopes, claims };
}

type Metadata = Readonly<Record<string, unknown>>;

/** The session as expressions read it. What is costly to make is made when an expression first reads it, and once: a rule may read it in a loop. */
export class SessionView {
  readonly #session: Subject['session'];
  readonly #tool: string;
  readonly #toolsMentioned: ReadonlySet<string>;
  readonly #repeats: number | Unknown;
  readonly #grants: NonNullable<Subject['grants']>;
  /** Whether the policy that is running is in mode MONITOR. */
  monitors = false;
  #metadata: Metadata | undefined;
  #recentActions: readonly RecentAction[] | undefined;
  #toolsUsed: readonly string[] | undefined;
  #toolCounts: ReadonlyMap<string, number> | undefined;
  #attemptCounts: ReadonlyMap<string, number> | undefined;
  #monitoredLabels: readonly string[] | undefined;
  #viewedGrants: readonly ViewedGrant[] | undefined;

  constructor({
    session,
    tool,
    toolsMentioned,
    repeats = 0,
    grants = [],
  }: Pick<Subject, 'session' | 'tool' | 'toolsMentioned' | 'repeats' | 'grants'>) {
    this.#grants = grants;
    this.#repeats = repeats;
    this.#session = session;
    this.#tool = tool;
    this.#toolsMentioned = toolsMentioned;
  }
  get id(): string {
    return this.#session.id;
  }
  /** `''` without a parent. */
  get parentId(): string {
    return this.#session.parentId ?? '';
  }
  get depth(): number {
    return this.#session.depth;
  }
  get actionCount(): number {
    return this.#session.actionCount;
  }
  get dataTags(): Subject['dataTags'] {
    return this.#session.dataTags;
  }
  /** A policy in mode MONITOR sees its like as well; no other one may, because it must change no decision. */
  get labels(): readonly string[] {
    const { labels, monitoredLabels } = this.#session;
    if (!this.monitors || monitoredLabels.length === 0) return labels;
    this.#monitoredLabels ??= union(labels, monitoredLabels);
    return this.#monitoredLabels;
  }
  get toolsUsed(): readonly string[] {
    this.#toolsUsed ??=
      this.#session.toolsUsed ?? namesSeen(this.#session.toolCounts, this.#tool, this.#toolsMentioned);
    return this.#toolsUsed;
  }
  get toolCounts(): ReadonlyMap<string, number> {
    this.#toolCounts ??= countsSeen(this.#session.toolCounts, this.#toolsMentioned);
    return this.#toolCounts;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    this.#attemptCounts ??= countsSeen(this.#session.attemptCounts, this.#toolsMentioned);
    return this.#attemptCounts;
  }
  get warningCount(): number {
    return this.#session.warningCount;
  }
  get blockCount(): number {
    return this.#session.blockCount;
  }
  get reviewCount(): number {
    return this.#session.reviewCount;
  }
  get rejectionCount(): number {
    return this.#session.rejectionCount;
  }
  get repeats(): number | Unknown {
    return this.#repeats;
  }
  get startedAt(): Timestamp | undefined {
    return moment(this.#session.startedAt);
  }
  get metadata(): Metadata {
    this.#metadata ??= parseJson(this.#session.metadata) as Metadata;
    return this.#metadata;
  }
  get entityId(): string | null {
    return this.#session.entityId;
  }
  get grants(): readonly ViewedGrant[] | Unknown {
    if (this.#grants instanceof Unknown) return this.#grants;
    this.#viewedGrants ??= this.#grants.map(({ ruleId, tool, usesLeft, expiresAt }) => ({
      ruleId,
      tool,
      usesLeft,
      expiresAt: expiresAt === null ? null : moment(expiresAt),
    }));
    return this.#viewedGrants;
  }
  get recentActions(): readonly RecentAction[] {
    this.#recentActions ??= this.#session.recentActions.map(
      ({
        seq,
        tool,
        targetKey,
        dataTags,
        enforcementAction,
        severity,
        rules,
        reasons,
        labels,
        repeats,
        at,
      }) => ({
        seq,
        tool,
        targetKey: targetKey ?? '',
        dataTags,
        enforcementAction,
        severity,
        rules,
        reasons,
        labels,
        // Missing where no policy asked then, which is an error of the rule: 0 would hide a repetition.
        repeats: repeats ?? (this.#repeats instanceof Unknown ? this.#repeats : undefined),
        at: moment(at),
      }),
    );
    return this.#recentActions;
  }
}

const union = (left: readonly string[], right: readonly string[]): string[] => [
  ...new Set([...left, ...right]),
];

interface ViewedGrant extends Pick<OpenGrant, 'ruleId' | 'tool' | 'usesLeft'> {
  readonly expiresAt: Timestamp | undefined | null;
}

/** A plain object: a field called like a member of lists, as `at` is, is only read when it is the object's own. */
interface RecentAction extends Omit<SessionAction, 'at' | 'targetKey' | 'repeats'> {
  readonly repeats: number | Unknown | undefined;
  readonly targetKey: string;
  readonly at: Timestamp | undefined;
}

/** The tree of the session as expressions read it: the session itself where it is alone. */
class TreeView {
  readonly #session: Subject['session'];
  readonly #view: SessionView;
  readonly #tool: string;
  readonly #toolsMentioned: ReadonlySet<string>;
  #toolsUsed: readonly string[] | undefined;
  #toolCounts: ReadonlyMap<string, number> | undefined;
  #attemptCounts: ReadonlyMap<string, number> | undefined;
  #monitoredLabels: readonly string[] | undefined;

  constructor(
    { session, tool, toolsMentioned }: Pick<Subject, 'session' | 'tool' | 'toolsMentioned'>,
    view: SessionView,
  ) {
    this.#session = session;
    this.#view = view;
    this.#tool = tool;
    this.#toolsMentioned = toolsMentioned;
  }
  get #counts() {
    return this.#session.tree ?? this.#session;
  }
  get id(): string {
    return this.#session.rootId;
  }
  get actionCount(): number {
    return this.#counts.actionCount;
  }
  get dataTags(): Subject['dataTags'] {
    return this.#session.tree === null ? this.#view.dataTags : this.#counts.dataTags;
  }
  get labels(): readonly string[] {
    const { labels, monitoredLabels } = this.#counts;
    if (!this.#view.monitors) return labels;
    this.#monitoredLabels ??= union(labels, monitoredLabels);
    return this.#monitoredLabels;
  }
  get toolsUsed(): readonly string[] {
    const { tree } = this.#session;
    if (tree === null) return this.#view.toolsUsed;
    this.#toolsUsed ??= namesSeen(tree.toolCounts, this.#tool, this.#toolsMentioned);
    return this.#toolsUsed;
  }
  get toolCounts(): ReadonlyMap<string, number> {
    this.#toolCounts ??= countsSeen(this.#counts.toolCounts, this.#toolsMentioned);
    return this.#toolCounts;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    this.#attemptCounts ??= countsSeen(this.#counts.attemptCounts, this.#toolsMentioned);
    return this.#attemptCounts;
  }
  get warningCount(): number {
    return this.#counts.warningCount;
  }
  get blockCount(): number {
    return this.#counts.blockCount;
  }
  get reviewCount(): number {
    return this.#counts.reviewCount;
  }
  get rejectionCount(): number {
    return this.#counts.rejectionCount;
  }
  get startedAt(): Timestamp | undefined {
    return moment(this.#counts.startedAt);
  }
}

/**
 * The counts as rules read them. In a session with more names than it keeps, a name that is not kept may be one of
 * those counted under `(other)`, so it reads as their count: a limit holds early rather than never.
 */
export function countsSeen(
  counts: ReadonlyMap<string, number>,
  mentioned: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const other = counts.get(otherTools);
  return other === undefined ? counts : new OverflowedCounts(counts, mentioned, other);
}

/**
 * The names as rules read them. With the name of this action when it may be one of those counted under `(other)`: `tool in
 * session.toolsUsed` holds early, too.
 */
export function namesSeen(
  counts: ReadonlyMap<string, number>,
  tool: string,
  mentioned: ReadonlySet<string>,
): readonly string[] {
  const isUnknown = counts.has(otherTools) && tool !== '' && !counts.has(tool) && !mentioned.has(tool);
  return isUnknown ? [...counts.keys(), tool] : [...counts.keys()];
}

/** Iterating shows the entries as they are; only looking a name up differs. */
class OverflowedCounts extends Map<string, number> {
  readonly #mentioned: ReadonlySet<string>;
  readonly #other: number;

  constructor(counts: ReadonlyMap<string, number>, mentioned: ReadonlySet<string>, other: number) {
    super(counts);
    this.#mentioned = mentioned;
    this.#other = other;
  }
  override get(name: string): number | undefined {
    return super.get(name) ?? (this.#mentioned.has(name) ? undefined : this.#other);
  }
  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

/** Epoch milliseconds as programs read them; undefined, which is a missing key, outside the years 1 to 9999. */
export function moment(ms: number): Timestamp | undefined {
  return timestampFromEpochMs(ms) ?? undefined;
}
