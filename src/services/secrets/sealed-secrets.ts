import type { McpServers } from '../../features/mcp-servers/service.ts';
import type { Webhooks } from '../../features/webhooks/service.ts';
import type { Store } from '../../store/store.ts';
import { integrationSecretPlace, type SecretBox } from './secret-box.ts';

/** Keeps every stored secret sealed with the first key, so that a key can be replaced and then removed. */
export interface SealedSecrets {
  /** Seals again what another key sealed, or none. What no key opens stays as it is, and is told to `onError`. */
  reseal(): Promise<void>;
}

export function createSealedSecrets(deps: {
  store: Store;
  box: SecretBox;
  webhooks: Webhooks;
  mcpServers: McpServers;
  onError: (error: unknown) => void;
}): SealedSecrets {
  const { store, box, webhooks, mcpServers, onError } = deps;

  const resealIntegrations = () =>
    store.integrations.resealWebhookSecrets((id, secret) => {
      const place = integrationSecretPlace(id);
      if (!box.isOutdated(secret)) return null;
      try {
        return box.seal(box.open(secret, place), place);
      } catch (error) {
        onError(error);
        return null;
      }
    });

  return {
    async reseal() {
      await resealIntegrations();
      await webhooks.reseal(onError);
      await mcpServers.reseal(onError);
    },
  };
}
