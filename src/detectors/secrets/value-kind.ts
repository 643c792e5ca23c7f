/** What a value under a label must be to count: any text, random-looking, issued by a service, a name, an address, a code. */
export type ValueKind =
  | 'password'
  | 'secret'
  | 'token'
  | 'service'
  | 'person'
  | 'address'
  | 'icd10'
  | 'bic'
  | 'username'
  | 'seed'
  | 'identifier';
