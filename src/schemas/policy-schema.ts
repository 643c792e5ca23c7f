import { PolicyDocument } from './policy-documents.ts';

/**
 * JSON Schema of a policy document, for editors that complete and check while a policy is written. It says less than
 * `checkPolicyDocument`: a schema cannot check expressions.
 */
export const policySchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Policy of Assize',
  ...PolicyDocument,
};
