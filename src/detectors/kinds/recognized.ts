import type { Kind } from './kind.ts';

/** What no pattern finds: tags of a recogniser that reads language, in a process of its own. */
export const recognized: readonly Kind[] = [
  {
    tag: 'LOCATION',
    categories: ['PII'],
    isRecognized: true,
    docs: {
      counts: 'names of places in prose, only with a recogniser (`ASSIZE_RECOGNIZER_URL`)',
      strength: ['bare'],
      found: 'She moved to Springfield',
      missed: 'She moved',
    },
  },
  {
    tag: 'NRP',
    categories: ['PII'],
    isRecognized: true,
    docs: {
      counts: 'nationality, religious or political group in prose, only with a recogniser',
      strength: ['bare'],
      found: 'He is Norwegian',
      missed: 'He is here',
    },
  },
  {
    tag: 'ORGANIZATION',
    categories: ['PII'],
    isRecognized: true,
    docs: {
      counts: 'names of organisations in prose, only with a recogniser',
      strength: ['bare'],
      found: 'She works for Example Works Ltd',
      missed: 'She works',
    },
  },
];
