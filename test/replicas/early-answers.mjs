import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

// Loaded before a service: a control that answers evaluations before it commits them.
const recording = new WeakSet();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...args) {
  const { name, text } = typeof args[0] === 'string' ? { text: args[0] } : args[0];
  if (name === 'lock sessions' || name === 'lock given sessions') recording.add(this);
  if (text !== 'COMMIT' || !recording.has(this)) return query.apply(this, args);
  void setTimeout(100).then(() => query.call(this, 'COMMIT').catch(() => undefined));
  return Promise.resolve({ rows: [], rowCount: 0, command: 'COMMIT' });
};
