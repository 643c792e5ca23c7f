import type { Kind } from './kind.ts';

export const person: readonly Kind[] = [
  {
    tag: 'DATE_OF_BIRTH',
    categories: ['PII'],
    words:
      'dob birthdate birthday birth dateofbirth date_birth born o_b geburtsdatum geboren naissance ' +
      'nacimiento nascita geboortedatum nascimento born_on fodelsedatum',
    docs: {
      counts:
        "a date right after its label or under its key, in digits or with the month's name in seven languages",
      strength: ['formatted'],
      found: { dob: '1980-01-02' },
      missed: { created: '1980-01-02' },
    },
  },
  {
    tag: 'PERSON',
    categories: ['PII'],
    docs: {
      counts: "capitalised words under a key or label of a person's name",
      strength: ['bare'],
      found: { first_name: 'Jane' },
      missed: { file_name: 'Jane' },
    },
  },
  {
    tag: 'STREET_ADDRESS',
    categories: ['PII'],
    docs: {
      counts: 'letters and digits under a key or label of an address',
      strength: ['bare'],
      found: { street_address: '12 Main Street' },
      missed: { street_address: 'unknown' },
    },
  },
];
