import { type Static, Type } from '@sinclair/typebox';
import { Nullable, Timestamp } from '../../schemas/values.ts';

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

const SignInMethod = Type.Unsafe<'KEY' | 'IDENTITY_PROVIDER'>({
  type: 'string',
  enum: ['KEY', 'IDENTITY_PROVIDER'],
});

/** Ways to sign in besides an operator key. */
export const SignInMethods = Type.Object({
  identityProvider: Nullable(Type.String({ description: 'its host; null without one' })),
});
export type SignInMethods = Static<typeof SignInMethods>;

/** Why signing in at the identity provider failed. The console says what to do about each. */
export type IdentityProviderFailureReason =
  /** The browser brought back nothing, or the values of another attempt. */
  | 'restart'
  /** The person, or the provider, refused. */
  | 'refused'
  /** The provider does not say that the e-mail address was verified. */
  | 'unverified'
  /** No active operator who may sign in from here has this e-mail address. */
  | 'unknown'
  | 'unreachable'
  /** The console was opened at another address than the public URL, to which the provider sends people back. */
  | 'elsewhere'
  | 'failed';

export const SignedIn = Type.Object({
  signedInAt: Timestamp,
  signedInWith: SignInMethod,
  expiresAt: { ...Timestamp, description: 'when it ends unless a person uses the console' },
  isConfirmed: Type.Boolean({
    description: 'whether keys, operators and integrations may be changed now',
  }),
  confirmedUntil: { ...Timestamp, description: 'until when keys, operators and integrations may be changed' },
});
export type SignedIn = Static<typeof SignedIn>;
