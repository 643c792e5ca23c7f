import { type Static, Type } from '@sinclair/typebox';
import { connectedSettings } from './connected-settings.ts';
import { eventSettings } from './event-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { networkSettings } from './network-settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import { recordSettings } from './record-settings.ts';
import { serverSettings } from './server-settings.ts';

/** Every setting, in the order of the README's table, which is printed from here. */
export const Settings = Type.Object({
  ...serverSettings,
  ...networkSettings,
  ...recordSettings,
  ...limitSettings,
  ...eventSettings,
  ...oidcSettings,
  ...connectedSettings,
});
export type Settings = Static<typeof Settings>;
