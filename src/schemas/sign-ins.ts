import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './values.ts';

const key = Type.String({ minLength: 1, maxLength: 200, description: 'an operator key: asz_admin_…' });

/** One of the two. */
export const SignIn = Type.Object(
  {
    key: Type.Optional(key),
    link: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'the secret of a sign-in link' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
);
export type SignIn = Static<typeof SignIn>;

export const ConfirmSignIn = Type.Object({ key }, { additionalProperties: false });

export const SignedIn = Type.Object({
  signedInAt: Timestamp,
  expiresAt: { ...Timestamp, description: 'when it ends unless a person uses the console' },
  isConfirmed: Type.Boolean({
    description: 'whether keys, operators and integrations may be changed now',
  }),
  confirmedUntil: { ...Timestamp, description: 'until when keys, operators and integrations may be changed' },
});
export type SignedIn = Static<typeof SignedIn>;
