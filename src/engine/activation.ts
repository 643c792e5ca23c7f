import type { Timestamp } from '../cel/index.ts';
import type { CounterReadings } from './counters/read-counters.ts';
import { moment } from './moment.ts';
import { SessionView } from './session-view.ts';
import type { Subject } from './subject.ts';

const results = { '': { status: '' }, OK: { status: 'OK' }, FAILED: { status: 'FAILED' } } as const;

/** What the programs of one evaluation read: the subject, and the params, variables and counters of the policy that is running. */
export class Activation {
  readonly input: Subject['input'];
  readonly targetKey: string;
  readonly tool: string;
  readonly phase: Subject['phase'];
  readonly result: { readonly status: Subject['resultStatus'] };
  readonly dataTags: readonly string[];
  readonly detections: Subject['detections'];
  readonly integration: Subject['integration'];
  readonly now: Timestamp | undefined;
  readonly session: SessionView;
  params: object = {};
  vars: object = {};
  counters: object = {};
  /** What `counters` reads; no expression does. */
  readonly readings: CounterReadings;

  constructor(subject: Subject) {
    this.input = subject.input;
    this.targetKey = subject.targetKey;
    this.tool = subject.tool;
    this.phase = subject.phase;
    this.result = results[subject.resultStatus];
    this.dataTags = subject.dataTags;
    this.detections = subject.detections;
    this.integration = subject.integration;
    this.now = moment(subject.now);
    this.session = new SessionView(subject);
    this.readings = subject.counters;
  }
}
