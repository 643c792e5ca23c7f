import type { Strings } from '../en.ts';

/** MCP servers behind the proxy. */
export const mcpServerStrings = {
  mcpServers: {
    title: 'MCP-Server',
    create: 'MCP-Server registrieren',
    edit: 'Server bearbeiten',
    delete: 'Server löschen',
    none: 'Es gibt noch keinen MCP-Server.',
    noneHint:
      'Clients verbinden sich mit dem Proxy eines entfernten Servers mit dem Schlüssel einer Integration, deren Richtlinien über jeden Aufruf entscheiden.',
    nameHint: 'Kleinbuchstaben, Ziffern, Punkte, Bindestriche: Regeln lesen ihn als mcp.server.',
    url: 'Adresse',
    urlHint: 'http oder https',
    path: 'Clients verbinden sich mit',
    headers: 'Header',
    headersHint: 'Je Zeile einer, etwa Authorization: Bearer …; sie werden nie wieder gezeigt.',
    headersStay: 'Je Zeile einer; sie ersetzen alle. Leer: Sie bleiben, wie sie sind.',
    forwarded: 'Authorization des Clients',
    integrations: 'Nur für diese Integrationen',
    integrationsHint: 'Keine gewählt: für alle',
    toolList: 'Tools, die jetzt blockiert sind',
    toolLists: { HIDE: 'Nicht gelistet', MARK: 'Mit Grund gelistet', ALL: 'Gelistet' },
    holdSeconds: 'Sekunden, die ein angehaltener Aufruf wartet',
    holdHint: '0: Er wird sofort mit seiner Prüfung beantwortet.',
    timeoutSeconds: 'Sekunden, die ein Aufruf auf den Server wartet',
    forwards: 'Authorization der Clients weitergeben, mit dem OAuth des Servers',
    masks: 'Erkannte Werte in Ergebnissen maskieren',
    created: 'Der MCP-Server ist registriert.',
    changed: 'Der MCP-Server ist geändert.',
    deleteQuestion: (name) => `Den MCP-Server ${name} löschen? Seine Clients verlieren die Verbindung.`,
    deleted: 'Der MCP-Server ist gelöscht.',
  },
} satisfies Pick<Strings, 'mcpServers'>;
