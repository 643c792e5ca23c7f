import { CelError, type Timestamp } from '../cel/index.ts';
import type { ToolEffect } from '../features/tools/words.ts';
import type { Cost } from '../schemas/costs.ts';
import { CallArguments } from './call-arguments.ts';
import type { CounterReadings } from './counters/read-counters.ts';
import { moment } from './moment.ts';
import { notKept, orNotKept } from './not-kept.ts';
import { SessionView } from './session-view.ts';
import type { Subject, Unknowns } from './subject.ts';
import { TreeView } from './tree-view.ts';

const results = { '': { status: '' }, OK: { status: 'OK' }, FAILED: { status: 'FAILED' } } as const;

const none: readonly string[] = [];
const noArguments = Object.freeze({});

/**
 * What the programs of one evaluation read: the subject, and the params, lists, variables and counters of the policy that is
 * running.
 */
export class Activation {
  readonly input: Subject['input'];
  readonly targetKey: string;
  readonly tool: string;
  readonly toolEffect: ToolEffect | '';
  readonly toolUntrusted: boolean;
  readonly destinations: readonly string[];
  readonly identifiers: readonly string[];
  readonly phase: Subject['phase'];
  readonly result: { readonly status: Subject['resultStatus'] };
  readonly cost: Cost;
  readonly dataTags: readonly string[];
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
  /** What `counters` reads; no expression does. */
  readonly readings: CounterReadings;
  /** The same. */
  readonly unknowns: Unknowns | null;
  #call: CallArguments | undefined;

  constructor(subject: Subject) {
    this.input = subject.input;
    const { catalogued, unknowns } = subject;
    this.targetKey = orNotKept(unknowns?.targetKey, subject.targetKey);
    this.tool = subject.tool;
    const isForgotten = unknowns?.catalogued;
    this.toolEffect = orNotKept(isForgotten, catalogued?.effect ?? '');
    this.toolUntrusted = orNotKept(isForgotten, catalogued?.untrustedResults ?? false);
    this.phase = subject.phase;
    this.#call = subject.call;
    this.destinations = orNotKept(isForgotten, this.#inArguments(catalogued, 'destinations'));
    this.identifiers = orNotKept(isForgotten, this.#inArguments(catalogued, 'identifiers'));
    this.result = results[subject.resultStatus];
    this.cost = subject.cost ?? {};
    this.dataTags = orNotKept(unknowns?.dataTags, subject.dataTags);
    this.detections = orNotKept(unknowns?.dataTags, subject.detections);
    this.integration = subject.integration;
    this.now = moment(subject.now);
    this.session = new SessionView(subject);
    this.tree = new TreeView(subject, this.session);
    this.readings = subject.counters;
    this.unknowns = unknowns ?? null;
  }

  /** Only a call has arguments. */
  get arguments(): object {
    if (this.phase !== 'ACTION') return noArguments;
    this.#call ??= new CallArguments(this.input);
    return this.#call.value;
  }

  /** Programs take an error for any value. */
  #inArguments(catalogued: Subject['catalogued'], field: 'destinations' | 'identifiers'): readonly string[] {
    if (catalogued === null) return none;
    const unreadable = () => (this.arguments instanceof CelError ? this.arguments : notKept);
    return catalogued[field] ?? (unreadable() as never);
  }
}
