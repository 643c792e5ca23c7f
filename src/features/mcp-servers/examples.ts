const mcpServer = {
  id: '0198c2f1-7d04-7c31-b5a2-2f7c4a1e0b86',
  name: 'crm',
  url: 'https://crm.example.com/mcp',
  headerNames: ['Authorization'],
  integrationIds: [],
  forwardsAuthorization: false,
  toolList: 'HIDE',
  holdSeconds: 0,
  masks: false,
  timeoutSeconds: 300,
  createdAt: '2026-11-22T09:30:00.000Z',
  updatedAt: '2026-11-22T09:30:00.000Z',
};

export const mcpServerExamples: Readonly<Record<string, unknown>> = {
  CreateMcpServer: { name: 'crm', url: mcpServer.url, headers: ['Authorization: Bearer crm-token'] },
  ChangeMcpServer: { toolList: 'MARK' },
  McpServer: mcpServer,
};
