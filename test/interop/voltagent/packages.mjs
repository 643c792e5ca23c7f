// Resolved from this folder: VoltAgent needs an older AI SDK than the other frameworks.
export { Agent, createTool } from '@voltagent/core';
export { MockLanguageModelV3 } from 'ai/test';
export { z } from 'zod';
